package bt.examples.chaos;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.model.Quotas;
import java.util.OptionalLong;

/**
 * The table of chains reaches its quota: what is written to it is refused, and nothing else is. The quota is set and lifted by
 * a worker, for that waits for master and lock service, which others may have paused.
 */
final class TableQuota implements Fault {
    private static final long PAUSE_MILLIS = 200;

    private final Setting setting;
    private volatile boolean over;
    private long rejectedBefore;

    TableQuota() {
        this(TableQuota::set);
    }

    /** With a quota that is set in another way. */
    TableQuota(Setting setting) {
        this.setting = setting;
    }

    /** Sets a quota, or lifts it. */
    @FunctionalInterface
    interface Setting {
        /** Whether it was done; where not it is tried again. */
        boolean set(Stage stage, OptionalLong bytes);
    }

    @Override
    public String begin(Stage stage, Strike strike) {
        Scheduler scheduler = stage.scheduler();
        rejectedBefore = stage.tally().rejectedWrites();
        stage.tally().quotaBegins();
        scheduler.start("operator of quotas", () -> {
            while (!over) {
                // Again and again, which asks for nothing where it is so: the operator of an attempt before this one,
                // which nobody
                // felt, may be late in lifting it.
                boolean unused = setting.set(stage, OptionalLong.of(1));
                scheduler.pause(PAUSE_MILLIS);
            }
            while (!setting.set(stage, OptionalLong.empty())) {
                scheduler.pause(PAUSE_MILLIS);
            }
            stage.tally().quotaIsLifted(scheduler.clock().nanos());
        });
        return Load.CHAINS + " may take 1 byte, once the servers have heard of it";
    }

    /** A write was refused, which nothing else does. */
    @Override
    public boolean isFelt(Stage stage) {
        return stage.tally().rejectedWrites() > rejectedBefore;
    }

    @Override
    public void end(Stage stage) {
        over = true;
    }

    /** Whether it was done. */
    private static boolean set(Stage stage, OptionalLong bytes) {
        try {
            stage.cluster().bigtable().admin().alterTable(Load.CHAINS, table -> table.change()
                    .quotas(quotas -> bytes.isPresent() ? quotas.table(bytes) : Quotas.NONE)
                    .build());
            return true;
        } catch (BigtableException notNow) {
            return false;
        }
    }
}
