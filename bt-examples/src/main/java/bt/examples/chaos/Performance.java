package bt.examples.chaos;

import bt.base.Scheduler;
import bt.examples.cluster.JavaProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Does to a cluster what a plan says, and undoes it. One thread. */
final class Performance {
    private static final long LOOK_MILLIS = 20;
    private static final long REPLACE_MILLIS = 1_000;
    private static final int ATTEMPTS = 5;

    /** What others, or what they left, prevent is tried again. */
    private static final int TRIES = 20;

    private static final long AGAIN_MILLIS = 2_000;

    private final Stage stage;
    private final Scheduler scheduler;
    private final List<Availability.Onset> onsets = new ArrayList<>();
    private final List<Running> running = new ArrayList<>();
    private final Map<FaultKind, Long> happened = new EnumMap<>(FaultKind.class);

    Performance(Stage stage) {
        this.stage = stage;
        this.scheduler = stage.cluster().scheduler();
    }

    /** One that is to come. */
    private record Coming(Strike strike, int tries) {}

    private record Running(Coming what, Fault fault, long endMillis, boolean begun) {
        FaultKind kind() {
            return what.strike().kind();
        }
    }

    /** Returns when the last fault is undone. Processes that end by themselves are replaced meanwhile. */
    void run(Plan plan) throws IOException, InterruptedException {
        Deque<Coming> coming = new ArrayDeque<>();
        plan.strikes().stream()
                .sorted(Comparator.comparingLong(Strike::atMillis))
                .forEach(strike -> coming.add(new Coming(strike, 1)));
        long began = scheduler.clock().nanos();
        long replaced = 0;
        // To do and to undo takes time too: what comes later is that much later, and nothing is shorter for it.
        long late = 0;
        while (!coming.isEmpty() || !running.isEmpty()) {
            long now = (scheduler.clock().nanos() - began) / 1_000_000;
            for (Running each : List.copyOf(running)) {
                if (each.endMillis() <= now && !end(each) && each.what().tries() < TRIES) {
                    coming.addFirst(new Coming(each.what().strike(), each.what().tries() + 1));
                }
            }
            if (!coming.isEmpty()) {
                Strike next = coming.element().strike();
                if (next.atMillis() + late <= now
                        && running.stream().noneMatch(each -> each.kind().meets(next.kind()))) {
                    late = Math.max(late, now - next.atMillis());
                    begin(coming.remove(), now);
                }
            }
            if (now - replaced > REPLACE_MILLIS && nothingIsDoneToProcesses()) {
                replaced = now;
                replaceEnded();
            }
            scheduler.pause(LOOK_MILLIS);
        }
    }

    private boolean nothingIsDoneToProcesses() {
        return running.stream()
                .noneMatch(each -> each.kind().isDoneTo(FaultKind.Thing.TABLET_SERVERS)
                        || each.kind().isDoneTo(FaultKind.Thing.MASTERS));
    }

    /** Those that ended by themselves: they lost their session, or could not go on. */
    void replaceEnded() throws IOException {
        for (JavaProcess ended : stage.cluster().replaceEnded(List.of())) {
            stage.journal().say("ended by itself: " + ended.name() + "; another is started: " + ended.lastWords());
        }
    }

    private void begin(Coming coming, long nowMillis) throws IOException, InterruptedException {
        Strike strike = coming.strike();
        Fault fault = strike.kind().make();
        long now = scheduler.clock().nanos();
        boolean begun = false;
        try {
            String whom = fault.begin(stage, strike);
            begun = true;
            onsets.add(new Availability.Onset(strike.kind(), now));
            stage.journal().say(strike.kind().title() + " for " + strike.lastsMillis() + " ms: " + whom);
        } catch (IOException | UncheckedIOException nobody) {
            stage.journal().say(strike.kind().title() + " not done: " + nobody.getMessage());
        }
        running.add(new Running(coming, fault, nowMillis + (begun ? strike.lastsMillis() : AGAIN_MILLIS), begun));
    }

    /** Whether it was one. */
    private boolean end(Running over) throws IOException, InterruptedException {
        running.remove(over);
        boolean was = over.begun() && over.fault().hasHappened(stage);
        undo(over.fault());
        if (was) {
            happened.merge(over.kind(), 1L, Long::sum);
        }
        if (over.begun()) {
            stage.journal().say(over.kind().title() + (was ? " is over" : " is over, and did not happen"));
        }
        return was;
    }

    /** What it needs for that others may have paused. */
    private void undo(Fault fault) throws IOException, InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                fault.end(stage);
                return;
            } catch (IOException failed) {
                if (attempt == ATTEMPTS) {
                    throw failed;
                }
                stage.journal().say("not undone yet: " + failed.getMessage());
                scheduler.pause(REPLACE_MILLIS);
            }
        }
    }

    /** What was begun, and when. */
    List<Availability.Onset> onsets() {
        return List.copyOf(onsets);
    }

    /** How often each happened. */
    Map<FaultKind, Long> counts() {
        return new EnumMap<>(happened);
    }
}
