package bt.testing.history;

import static bt.base.Check.checkState;
import static java.util.Objects.requireNonNull;

import bt.testing.history.Operation.Kind;
import bt.testing.history.Operation.Result;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Whether there is one order of a row's operations that explains what everybody was told, in which each happens at one
 * moment between its beginning and its end. The search goes through the beginnings and ends in the order of time and
 * keeps all that may be the case: what the row holds, and which of the operations under way have happened. An end leaves
 * of these what has that operation behind it; when nothing is left, there is no such order. So the work grows with the
 * length of the history, and only for the operations that overlap with their orders.
 *
 * <p>An unknown outcome has no end, so it is under way for good. What is the case without it is never worse than the same
 * with it: such cases are left out, or their number would double with every unknown outcome.
 */
public final class Linearizability {
    private static final int MOST_AT_ONCE = Long.SIZE;

    private final List<Event> events = new ArrayList<>();
    private final @Nullable Operation[] under = new @Nullable Operation[MOST_AT_ONCE];
    /** By slot: bits of those under way that do the same. */
    private final long[] twins = new long[MOST_AT_ONCE];
    /** Bits of those under way, and of those that have no end. */
    private long taken;

    private long endless;

    private Cases cases = new Cases();

    private Linearizability(List<Operation> row) {
        for (Operation operation : row) {
            events.add(new Event(operation.begunNanos(), false, operation));
            if (operation.endedNanos() != Operation.NEVER) {
                events.add(new Event(operation.endedNanos(), true, operation));
            }
        }
        events.sort(Comparator.comparingLong(Event::nanos).thenComparing(Event::isEnd));
        cases.add(new Case(Optional.empty(), 0));
    }

    /** Of one row, which began empty. */
    public static Optional<Anomaly> check(List<Operation> row) {
        return new Linearizability(relevant(row)).run();
    }

    /** What may have happened or was seen. An unknown write that nobody saw explains nothing, unless a swap was refused. */
    private static List<Operation> relevant(List<Operation> row) {
        boolean refusals = row.stream().anyMatch(each -> each.result() == Result.REFUSED);
        Set<Optional<String>> seen = new HashSet<>();
        for (Operation each : row) {
            if (each.kind() != Kind.WRITE) {
                seen.add(each.kind() == Kind.READ ? each.value() : each.expected());
            }
        }
        return row.stream()
                .filter(each -> each.result() != Result.FAILED)
                .filter(each -> each.result() != Result.UNKNOWN
                        || (each.kind() != Kind.READ && (refusals || seen.contains(each.value()))))
                .toList();
    }

    private Optional<Anomaly> run() {
        for (Event event : events) {
            if (!event.isEnd()) {
                begin(event.operation());
            } else {
                Cases before = cases;
                end(slotOf(event.operation()));
                if (cases.isEmpty()) {
                    return Optional.of(unexplained(event.operation(), before));
                }
            }
        }
        return Optional.empty();
    }

    private void begin(Operation operation) {
        int slot = Long.numberOfTrailingZeros(~taken);
        checkState(slot < MOST_AT_ONCE, "more than %d operations on one row at once", MOST_AT_ONCE);
        findTwins(slot, operation);
        under[slot] = operation;
        taken |= 1L << slot;
        endless |= operation.endedNanos() == Operation.NEVER ? 1L << slot : 0;
    }

    /** By identity: two equal operations are two all the same. */
    @SuppressWarnings("ReferenceEquality")
    private int slotOf(Operation operation) {
        int slot = 0;
        while (under[slot] != operation) {
            slot++;
        }
        return slot;
    }

    private void end(int slot) {
        long bit = 1L << slot;
        Cases all = new Cases();
        Cases left = new Cases();
        Deque<Case> open = new ArrayDeque<>(cases.all());
        open.forEach(all::add);
        while (!open.isEmpty()) {
            // Those in which less has happened come first, so that they are there when the others are compared.
            Case now = open.removeFirst();
            if ((now.happened() & bit) != 0) {
                left.add(new Case(now.value(), now.happened() & ~bit));
            } else {
                addNexts(now, all, open);
            }
        }
        leave(bit);
        cases = left.without(left.certain());
    }

    /** One more of those under way happens. */
    private void addNexts(Case now, Cases all, Deque<Case> open) {
        for (long left = taken & ~now.happened(); left != 0; left &= left - 1) {
            int slot = Long.numberOfTrailingZeros(left);
            Operation operation = requireNonNull(under[slot]);
            if (mayHappen(operation, now.value()) && !hasTwin(slot, now)) {
                Optional<String> value = operation.mayHaveWritten() ? operation.value() : now.value();
                Case next = new Case(value, now.happened() | 1L << slot);
                if (all.add(next)) {
                    open.addLast(next);
                }
            }
        }
    }

    private void leave(long bits) {
        for (long left = bits; left != 0; left &= left - 1) {
            under[Long.numberOfTrailingZeros(left)] = null;
        }
        taken &= ~bits;
        endless &= ~bits;
    }

    /** Of unknown outcomes that would do the same, all of which may happen whenever they like, the first goes first. */
    private boolean hasTwin(int slot, Case now) {
        long open = endless & ~now.happened();
        return (open & 1L << slot) != 0 && (twins[slot] & open & ((1L << slot) - 1)) != 0;
    }

    /** Who does the same as the one in this slot. */
    private void findTwins(int slot, Operation operation) {
        twins[slot] = 0;
        for (long left = taken; left != 0; left &= left - 1) {
            int other = Long.numberOfTrailingZeros(left);
            Operation twin = requireNonNull(under[other]);
            boolean same = twin.kind() == operation.kind()
                    && twin.value().equals(operation.value())
                    && twin.expected().equals(operation.expected());
            twins[slot] |= same ? 1L << other : 0;
            twins[other] = same ? twins[other] | 1L << slot : twins[other] & ~(1L << slot);
        }
    }

    /** Whether it can happen to this value and be answered as it was. */
    private static boolean mayHappen(Operation operation, Optional<String> value) {
        return switch (operation.kind()) {
            case READ -> operation.value().equals(value);
            case WRITE -> true;
            case SWAP -> operation.expected().equals(value) != (operation.result() == Result.REFUSED);
        };
    }

    private Anomaly unexplained(Operation last, Cases before) {
        String held = before.all().stream()
                .map(Case::value)
                .distinct()
                .map(value -> value.orElse("nothing"))
                .sorted()
                .collect(Collectors.joining(" or "));
        String beside = Arrays.stream(under)
                .filter(Objects::nonNull)
                .map(operation -> "\n        " + operation)
                .collect(Collectors.joining());
        return new Anomaly(
                "linearizability",
                last.row(),
                "nothing explains\n        " + last + "\n      when the row held " + held + " and under way was"
                        + (beside.isEmpty() ? " nothing else" : beside));
    }

    /** What may be the case: the row's value, and a bit for each operation under way that has happened. */
    private record Case(Optional<String> value, long happened) {
        // Written out, because a search asks millions of times, and those of a record are slow until C2 compiles them.
        @Override
        public boolean equals(@Nullable Object that) {
            return that instanceof Case other && happened == other.happened && value.equals(other.value);
        }

        @Override
        public int hashCode() {
            return 31 * value.hashCode() + Long.hashCode(happened);
        }
    }

    /** A beginning or an end. At one moment beginnings are first: what touches may overlap. */
    private record Event(long nanos, boolean isEnd, Operation operation) {}

    /** Different ones, none of which is another with an unknown outcome more. */
    private final class Cases {
        /** Without the bits of unknown outcomes; and for each which of those may stand beside it. */
        private final Map<Case, List<Long>> found = new HashMap<>();

        /** False: it is no better than what is there. */
        boolean add(Case one) {
            long unknown = one.happened() & endless;
            List<Long> beside =
                    found.computeIfAbsent(new Case(one.value(), one.happened() & ~endless), first -> new ArrayList<>());
            for (long less : beside) {
                if ((less & ~unknown) == 0) {
                    return false;
                }
            }
            beside.removeIf(more -> (unknown & ~more) == 0);
            beside.add(unknown);
            return true;
        }

        boolean isEmpty() {
            return found.isEmpty();
        }

        /** The unknown outcomes that have happened in every case. */
        long certain() {
            long certain = endless;
            for (List<Long> beside : found.values()) {
                for (long unknown : beside) {
                    certain &= unknown;
                }
            }
            return certain;
        }

        /** What is certain needs no bit any more. */
        Cases without(long certain) {
            if (certain == 0 || isEmpty()) {
                return this;
            }
            List<Case> all = all();
            leave(certain);
            Cases rest = new Cases();
            all.forEach(one -> rest.add(new Case(one.value(), one.happened() & ~certain)));
            return rest;
        }

        /** Those in which fewer unknown outcomes have happened first. */
        List<Case> all() {
            List<Case> all = new ArrayList<>();
            found.forEach((known, beside) ->
                    beside.forEach(unknown -> all.add(new Case(known.value(), known.happened() | unknown))));
            all.sort(Comparator.comparingInt(one -> Long.bitCount(one.happened() & endless)));
            return all;
        }
    }
}
