package bt.examples.chaos;

import bt.base.Scheduler;
import bt.examples.cluster.JavaProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** Does to a cluster what a plan says, and undoes it. One thread. */
final class Performance {
    private static final long LOOK_MILLIS = 20;
    private static final long REPLACE_MILLIS = 1_000;
    private static final int ATTEMPTS = 5;

    private final Stage stage;
    private final Scheduler scheduler;
    private final List<Availability.Onset> onsets = new ArrayList<>();
    private final List<Running> running = new ArrayList<>();

    Performance(Stage stage) {
        this.stage = stage;
        this.scheduler = stage.cluster().scheduler();
    }

    private record Running(Strike strike, Fault fault, long endMillis) {}

    /** Returns when the last fault is undone. Processes that end by themselves are replaced meanwhile. */
    void run(Plan plan) throws IOException, InterruptedException {
        List<Strike> coming = new ArrayList<>(plan.strikes());
        coming.sort(Comparator.comparingLong(Strike::atMillis));
        long began = scheduler.clock().nanos();
        long replaced = 0;
        // To do and to undo takes time too: what comes later is that much later, and nothing is shorter for it.
        long late = 0;
        while (!coming.isEmpty() || !running.isEmpty()) {
            long now = (scheduler.clock().nanos() - began) / 1_000_000;
            for (Running each : List.copyOf(running)) {
                if (each.endMillis() <= now) {
                    end(each);
                }
            }
            if (!coming.isEmpty() && coming.get(0).atMillis() + late <= now) {
                late = now - coming.get(0).atMillis();
                begin(coming.remove(0), now);
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
                .noneMatch(each -> each.strike().kind().thing() == FaultKind.Thing.TABLET_SERVERS
                        || each.strike().kind().thing() == FaultKind.Thing.MASTERS);
    }

    /** Those that ended by themselves: they lost their session, or could not go on. */
    void replaceEnded() throws IOException {
        for (JavaProcess ended : stage.cluster().replaceEnded(List.of())) {
            stage.journal().say("ended by itself: " + ended.name() + "; another is started: " + ended.lastWords());
        }
    }

    private void begin(Strike strike, long nowMillis) throws IOException, InterruptedException {
        Fault fault = strike.kind().make();
        running.add(new Running(strike, fault, nowMillis + strike.lastsMillis()));
        long now = scheduler.clock().nanos();
        try {
            String whom = fault.begin(stage, strike);
            onsets.add(new Availability.Onset(strike.kind(), now));
            stage.journal().say(strike.kind().title() + " for " + strike.lastsMillis() + " ms: " + whom);
        } catch (IOException | UncheckedIOException nobody) {
            stage.journal().say(strike.kind().title() + " not done: " + nobody.getMessage());
        }
    }

    private void end(Running over) throws IOException, InterruptedException {
        running.remove(over);
        undo(over.fault());
        stage.journal().say(over.strike().kind().title() + " is over");
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

    /** What was done, and when it began. */
    List<Availability.Onset> onsets() {
        return List.copyOf(onsets);
    }

    /** How often each was done. */
    Map<FaultKind, Long> counts() {
        Map<FaultKind, Long> counts = new EnumMap<>(FaultKind.class);
        onsets.forEach(onset -> counts.merge(onset.kind(), 1L, Long::sum));
        return counts;
    }
}
