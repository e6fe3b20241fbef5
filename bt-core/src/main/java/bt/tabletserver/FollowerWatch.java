package bt.tabletserver;

import bt.base.Scheduler;
import bt.base.StepWatch;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Whether one of the threads hangs that follow what the lock service has, schemas and rights: reads and writes go on without, but no
 * change is ever heard of, and who has made it waits. They wait for a minute at most for something to do, and for each answer of
 * the lock service no longer than a session. Run by a worker of its own.
 */
final class FollowerWatch {
    private static final long LOOK_MILLIS = 10_000;
    private static final int LOOKS = 18;

    private final Scheduler scheduler;
    private final StepWatch schemas;
    private final StepWatch rights;
    private final Consumer<String> hangs;

    /** {@code hangs} is told which, once. */
    FollowerWatch(Scheduler scheduler, SchemaWatch schemas, AccessWatch rights, Consumer<String> hangs) {
        this.scheduler = scheduler;
        this.schemas = new StepWatch(schemas::steps, LOOKS);
        this.rights = new StepWatch(rights::steps, LOOKS);
        this.hangs = hangs;
    }

    void run() throws InterruptedException {
        Optional<String> hung = Optional.empty();
        while (hung.isEmpty()) {
            scheduler.pause(LOOK_MILLIS);
            hung = look();
        }
        hangs.accept(
                "the thread that follows " + hung.get() + " has not got on for " + LOOKS * LOOK_MILLIS / 1_000 + " s");
    }

    /** Both, each time. */
    private Optional<String> look() {
        boolean schemasHang = schemas.hangs();
        boolean rightsHang = rights.hangs();
        if (schemasHang) {
            return Optional.of("schemas");
        }
        return rightsHang ? Optional.of("rights") : Optional.empty();
    }
}
