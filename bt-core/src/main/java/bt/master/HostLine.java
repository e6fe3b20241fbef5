package bt.master;

import bt.base.Turns;
import bt.protocol.Caller;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What waits for the master's thread, of one host after the other, however much one of them has waiting, and no more of one than there
 * are places left. What the user of the process wants done has places of its own, and every second turn. Any thread adds; the
 * master's thread takes.
 */
final class HostLine<T> {
    private final String owner;
    private final Turns<T> owners;
    private final Turns<T> others;

    /** Whose turn it is. */
    private boolean isOwnersTurn = true;

    /** The owner is the user of this process; he has so many places, and all others together. */
    HostLine(String owner, int places) {
        this.owner = owner;
        this.owners = new Turns<>(places);
        this.others = new Turns<>(places);
    }

    /** False when as many of the caller's host wait as there are places left. */
    boolean add(Caller caller, T item) {
        return of(caller).add(caller.host(), item);
    }

    private Turns<T> of(Caller caller) {
        return caller.user().equals(owner) ? owners : others;
    }

    /** Whoever's turn it is; empty where none waits. What is over takes up no turn: {@code told} is told of it. */
    Optional<T> take(Predicate<T> isOver, Consumer<T> told) {
        Turns<T> first = isOwnersTurn ? owners : others;
        Turns<T> second = isOwnersTurn ? others : owners;
        isOwnersTurn = !isOwnersTurn;
        return first.take(isOver, told).or(() -> second.take(isOver, told));
    }

    /** All that wait. */
    List<T> drain() {
        List<T> taken = new ArrayList<>();
        Optional<T> next = take(item -> false, item -> {});
        while (next.isPresent()) {
            taken.add(next.get());
            next = take(item -> false, item -> {});
        }
        return taken;
    }

    /** How many wait. */
    int size() {
        return owners.size() + others.size();
    }
}
