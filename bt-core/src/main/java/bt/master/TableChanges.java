package bt.master;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.base.OverloadedException;
import bt.master.Commands.Command;
import bt.protocol.Answer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.specific.SpecificRecord;

/**
 * Changes of tables, of one host after the other, one at a time, so that two of one name never race. While one has ten thousand
 * rows of METADATA written the others wait for it, and nothing else does: the master goes on with looks, passes and whatever
 * is no such change. One whose caller does not wait any more is not begun, and takes up no turn; what is begun is made. Owned by the
 * master's thread.
 */
final class TableChanges {
    private final Clock clock;
    private final long againMillis;
    private final HostLine<Waiting> line;

    /** Whose turn it is. */
    private Optional<Waiting> first = Optional.empty();

    /** That, if it is begun. */
    private Optional<Begun> begun = Optional.empty();

    /** The owner is the user of this process. Who comes when there is no room is to come again after so long. */
    TableChanges(Clock clock, String owner, long againMillis) {
        this.clock = clock;
        this.againMillis = againMillis;
        this.line = new HostLine<>(owner, Commands.BOUND);
    }

    /**
     * One that is begun.
     *
     * @param rows done when the rows of METADATA are written that it needs, or are not and will not be
     * @param ending what is to be done then, however that went: it makes the change, and the answer
     */
    record Begun(CompletableFuture<?> rows, Ending ending) {
        /** Of one that needs none. */
        static Begun withoutRows(Ending ending) {
            return new Begun(CompletableFuture.completedFuture(null), ending);
        }
    }

    /** Begins one, when its turn has come. */
    @FunctionalInterface
    interface Beginning {
        Begun run() throws BigtableException, InterruptedException;
    }

    /** The end of one. */
    @FunctionalInterface
    interface Ending {
        SpecificRecord run() throws BigtableException, InterruptedException;
    }

    private record Waiting(Command command, Beginning beginning) {
        boolean isOver(long nowNanos) {
            return command.whyOver(nowNanos).isPresent();
        }

        void tellOver(long nowNanos) {
            command.tellOver(nowNanos);
        }
    }

    /** OVERLOADED where as many of the caller's host wait as there are places left. */
    void add(Command command, Beginning beginning) throws OverloadedException {
        if (!line.add(command.caller(), new Waiting(command, beginning))) {
            throw new OverloadedException(
                    "master: " + line.size() + " changes of tables wait, and no more are taken of this host",
                    againMillis);
        }
    }

    /** The one whose turn it is, if there is something to do about it now. */
    Optional<Command> ready() {
        if (first.isEmpty()) {
            // The line may have been long: whoever has given up and come again has his turn with what he waits for now.
            long now = clock.nanos();
            first = line.take(one -> one.isOver(now), one -> one.tellOver(now));
        }
        boolean isUnderWay = begun.filter(one -> !one.rows().isDone()).isPresent();
        return isUnderWay ? Optional.empty() : first.map(Waiting::command);
    }

    /** Begins the one that is {@link #ready}, or ends it. What is thrown is its answer, and the next one's turn has come. */
    void advance() throws BigtableException, InterruptedException {
        Waiting ready = first.orElseThrow();
        if (begun.isEmpty()) {
            try {
                // Whoever is gone would not know what has become of it.
                ready.command().caller().checkWaits(clock.nanos());
                begun = Optional.of(ready.beginning().run());
            } finally {
                if (begun.isEmpty()) {
                    first = Optional.empty();
                }
            }
            return;
        }
        Begun one = begun.get();
        begun = Optional.empty();
        first = Optional.empty();
        ready.command().answer().complete(new Answer.Control(one.ending().run()));
    }

    /** All that have no answer, when none of them will be made. Of one that is begun too there is no table without its end. */
    List<Command> drain() {
        List<Command> waiting = new ArrayList<>();
        first.ifPresent(one -> waiting.add(one.command()));
        line.drain().forEach(each -> waiting.add(each.command()));
        first = Optional.empty();
        begun = Optional.empty();
        return waiting;
    }
}
