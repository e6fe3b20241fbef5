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
import java.util.OptionalLong;
import java.util.function.Function;

/** Does to a cluster what a plan says, and undoes it. One thread. */
final class Performance {
    private static final long LOOK_MILLIS = 20;
    private static final long REPLACE_MILLIS = 1_000;

    /** What others, or what they left, prevent, to undo something too, and what nobody felt, is tried for so long. */
    static final long TRY_MILLIS = 120_000;

    private static final long AGAIN_MILLIS = 2_000;

    /** Who begins so late is not late: a look or two after what is begun before. */
    private static final long PUNCTUAL_MILLIS = 2_000;

    private final Stage stage;
    private final Function<FaultKind, Fault> maker;
    private final Scheduler scheduler;
    private final List<Availability.Onset> onsets = new ArrayList<>();
    private final List<Running> running = new ArrayList<>();
    private final Deque<Coming> coming = new ArrayDeque<>();
    private final Map<FaultKind, Long> felt = new EnumMap<>(FaultKind.class);
    private final Map<FaultKind, Long> givenUp = new EnumMap<>(FaultKind.class);

    Performance(Stage stage) {
        this(stage, FaultKind::make);
    }

    /** With faults that somebody else makes. */
    Performance(Stage stage, Function<FaultKind, Fault> maker) {
        this.stage = stage;
        this.maker = maker;
        this.scheduler = stage.scheduler();
    }

    /** One that is to come; when it was tried first, if it was. */
    private record Coming(Strike strike, OptionalLong firstMillis) {}

    /** One that was begun, or failed to; since when it should have been undone, if that has failed. */
    private record Running(
            Strike strike, Fault fault, long firstMillis, long endMillis, boolean begun, OptionalLong stuckMillis) {
        FaultKind kind() {
            return strike.kind();
        }

        /** To be undone some time later. */
        Running stuck(long nowMillis) {
            return new Running(
                    strike,
                    fault,
                    firstMillis,
                    nowMillis + REPLACE_MILLIS,
                    begun,
                    OptionalLong.of(stuckMillis.orElse(nowMillis)));
        }
    }

    /**
     * Returns when the last fault is undone. Processes that end by themselves are replaced meanwhile. What is late when the last of the plan
     * should have begun is left out, unless it is of a kind that nobody has felt yet.
     */
    void run(Plan plan) throws IOException, InterruptedException {
        plan.strikes().stream()
                .sorted(Comparator.comparingLong(Strike::atMillis))
                .forEach(strike -> coming.add(new Coming(strike, OptionalLong.empty())));
        long began = scheduler.clock().nanos();
        long replaced = 0;
        // To do and to undo takes time too: what comes later is that much later, and nothing is shorter for it.
        long late = 0;
        while (!coming.isEmpty() || !running.isEmpty()) {
            long now = (scheduler.clock().nanos() - began) / 1_000_000;
            for (Running each : List.copyOf(running)) {
                endIfOver(each, now);
            }
            if (now > plan.lastMillis() + PUNCTUAL_MILLIS) {
                leaveOutWhatWasFelt();
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

    private void leaveOutWhatWasFelt() {
        coming.removeIf(late -> {
            boolean wasFelt = felt.containsKey(late.strike().kind());
            if (wasFelt) {
                stage.journal().say(late.strike().kind().title() + " is left out: there is no time for it any more");
            }
            return wasFelt;
        });
    }

    private boolean nothingIsDoneToProcesses() {
        return running.stream()
                .noneMatch(each -> each.kind().isDoneTo(FaultKind.Thing.TABLET_SERVERS)
                        || each.kind().isDoneTo(FaultKind.Thing.MASTERS));
    }

    /** Those that ended by themselves: they lost their session, or could not go on. */
    void replaceEnded() throws IOException {
        for (JavaProcess ended : stage.replaceEnded()) {
            stage.journal().say("ended by itself: " + ended.name() + "; another is started: " + ended.lastWords());
        }
    }

    private void begin(Coming next, long nowMillis) throws IOException, InterruptedException {
        Strike strike = next.strike();
        Fault fault = maker.apply(strike.kind());
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
        long end = nowMillis + (begun ? strike.lastsMillis() : AGAIN_MILLIS);
        running.add(new Running(strike, fault, next.firstMillis().orElse(nowMillis), end, begun, OptionalLong.empty()));
    }

    private void endIfOver(Running each, long nowMillis) throws IOException, InterruptedException {
        boolean isFelt =
                each.begun() && nowMillis >= each.endMillis() && each.fault().isFelt(stage);
        boolean isStuck = each.stuckMillis().isPresent();
        long patience = each.begun() && !isStuck ? each.fault().patienceMillis() : 0;
        if (!isFelt && nowMillis < each.endMillis() + patience) {
            return;
        }
        running.remove(each);
        if (!undo(each, nowMillis)) {
            return;
        }
        if (each.begun()) {
            stage.journal().say(each.kind().title() + (isFelt ? " is over" : " is over, and nobody felt it"));
        }
        if (isFelt) {
            felt.merge(each.kind(), 1L, Long::sum);
        } else if (nowMillis - each.firstMillis() < TRY_MILLIS) {
            coming.addFirst(new Coming(each.strike().again(), OptionalLong.of(each.firstMillis())));
        } else {
            givenUp.merge(each.kind(), 1L, Long::sum);
            stage.journal().say(each.kind().title() + " is given up");
        }
    }

    /** Whether it is undone; where not it stays, for others may have paused what it needs for that, and they end meanwhile. */
    private boolean undo(Running each, long nowMillis) throws IOException, InterruptedException {
        try {
            each.fault().end(stage);
            return true;
        } catch (IOException failed) {
            Running stuck = each.stuck(nowMillis);
            if (nowMillis - stuck.stuckMillis().orElseThrow() >= TRY_MILLIS) {
                throw failed;
            }
            stage.journal().say(each.kind().title() + " is not undone yet: " + failed.getMessage());
            running.add(stuck);
            return false;
        }
    }

    /** What was begun, and when. */
    List<Availability.Onset> onsets() {
        return List.copyOf(onsets);
    }

    /** How often each was felt. */
    Map<FaultKind, Long> felt() {
        return new EnumMap<>(felt);
    }

    /** How often each could not be begun, or was felt by nobody, however often it was tried. */
    Map<FaultKind, Long> givenUp() {
        return new EnumMap<>(givenUp);
    }
}
