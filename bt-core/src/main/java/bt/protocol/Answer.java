package bt.protocol;

import bt.base.Bytes;
import bt.model.Cell;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/** What comes back. */
public sealed interface Answer {
    Kind kind();

    /** For a {@code switch} that must name them all; the numbers are on the wire. */
    enum Kind {
        MUTATED(1),
        PAGE(2),
        CONTROL(3);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        public int number() {
            return number;
        }
    }

    /** One result for each write, in their order. */
    record Mutated(List<WriteResult> results) implements Answer {
        public Mutated {
            results = List.copyOf(results);
        }

        @Override
        public Kind kind() {
            return Kind.MUTATED;
        }
    }

    /**
     * Cells in order; those that came over the wire are made one by one, as they are gone through. Next is the edge of what
     * is left of the walk ({@link bt.model.RowWalk#from}), and is empty when that is nothing; resume is present when the
     * page ended inside the first row that is left. Seen counts what the filter was shown.
     */
    record Page(List<Cell> cells, Optional<Bytes> next, Optional<RowResume> resume, long rowsSeen, long cellsSeen)
            implements Answer {
        public Page {
            cells = cells instanceof LaidCells ? cells : List.copyOf(cells);
        }

        /** Of rows, qualifiers and values, about: what came over the wire counts as it lay there, without being made. */
        public long bytes() {
            return cells instanceof LaidCells laid
                    ? laid.bytes()
                    : cells.stream().mapToLong(Cell::bytes).sum();
        }

        @Override
        public Kind kind() {
            return Kind.PAGE;
        }
    }

    /** One of the control messages in {@code bt.record}. */
    record Control(SpecificRecord message) implements Answer {
        @Override
        public Kind kind() {
            return Kind.CONTROL;
        }
    }
}
