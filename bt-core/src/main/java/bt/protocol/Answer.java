package bt.protocol;

import bt.base.Bytes;
import bt.model.Cell;
import bt.record.ClusterStatus;
import bt.record.GarbageReport;
import bt.record.Reached;
import bt.record.RecoveryReport;
import bt.record.ServerSizes;
import bt.record.ServerStatus;
import bt.record.TraceList;
import bt.record.WorkReport;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;

/** What comes back. */
public sealed interface Answer {
    Kind kind();

    /**
     * Whether it tells of nothing that was changed, so that whoever is not told can ask again: where there is no room for it, it
     * may be let go.
     */
    boolean isRepeatable();

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

        @Override
        public boolean isRepeatable() {
            return false;
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

        @Override
        public boolean isRepeatable() {
            return true;
        }
    }

    /** One of the control messages in {@code bt.record}. */
    record Control(SpecificRecord message) implements Answer {
        /** What the others tell of, somebody has changed; they are short. */
        private static final Set<Class<? extends SpecificRecord>> REPORTS = Set.of(
                ClusterStatus.class,
                GarbageReport.class,
                Reached.class,
                RecoveryReport.class,
                ServerSizes.class,
                ServerStatus.class,
                TraceList.class,
                WorkReport.class);

        @Override
        public Kind kind() {
            return Kind.CONTROL;
        }

        @Override
        public boolean isRepeatable() {
            return REPORTS.contains(message.getClass());
        }
    }
}
