package bt.master;

import bt.base.BigtableException;
import bt.base.OverloadedException;
import bt.master.Commands.Command;
import bt.protocol.Answer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.specific.SpecificRecord;

/**
 * Changes of tables in the order in which they were asked for, one at a time, so that two of one name never race. While one has ten
 * thousand rows of METADATA written the others wait for it, and nothing else does: the master goes on with looks, passes and whatever
 * is no such change. Owned by the master's thread.
 */
final class TableChanges {
    private final long againMillis;
    private final Deque<Waiting> line = new ArrayDeque<>();

    /** The first of them, if it is begun. */
    private Optional<Begun> begun = Optional.empty();

    /** Who comes when there is no room is to come again after so long. */
    TableChanges(long againMillis) {
        this.againMillis = againMillis;
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

    private record Waiting(Command command, Beginning beginning) {}

    /** OVERLOADED where {@code most} wait already. */
    void add(Command command, int most, Beginning beginning) throws OverloadedException {
        if (line.size() >= most) {
            throw new OverloadedException("master: " + line.size() + " changes of tables wait", againMillis);
        }
        line.add(new Waiting(command, beginning));
    }

    /** The first, if there is something to do about it now. */
    Optional<Command> ready() {
        return line.isEmpty() || begun.filter(first -> !first.rows().isDone()).isPresent()
                ? Optional.empty()
                : Optional.of(line.element().command());
    }

    /** Begins the one that is {@link #ready}, or ends it. What is thrown is its answer, and the next one's turn has come. */
    void advance() throws BigtableException, InterruptedException {
        if (begun.isEmpty()) {
            try {
                begun = Optional.of(line.element().beginning().run());
            } finally {
                if (begun.isEmpty()) {
                    line.remove();
                }
            }
            return;
        }
        Begun first = begun.get();
        begun = Optional.empty();
        Command command = line.remove().command();
        command.answer().complete(new Answer.Control(first.ending().run()));
    }

    /** All that have no answer, when none of them will be made. Of one that is begun too there is no table without its end. */
    List<Command> drain() {
        List<Command> waiting = new ArrayList<>();
        line.forEach(each -> waiting.add(each.command()));
        line.clear();
        begun = Optional.empty();
        return waiting;
    }
}
