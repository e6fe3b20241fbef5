package bt.protocol;

import static bt.base.Check.checkArgument;

import bt.model.Filter;
import bt.model.Limits;
import bt.model.RowRange;
import bt.model.RowWalk;
import bt.model.TableSchema;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/** What a process may be asked. Data requests have a codec of their own; control requests are Avro records. */
public sealed interface Request {
    /** No request has more on its way: what {@link bt.model.Limits#REQUEST_BYTES} tells applications of. */
    int MAX_BYTES = Limits.REQUEST_BYTES;

    Kind kind();

    /** Whether it keeps the cluster going, so that no user's request may delay it: a control message, or of METADATA. */
    default boolean isOfCluster() {
        return switch (kind()) {
            case MUTATE -> ((Mutate) this).tableId() == TableSchema.METADATA_ID;
            case SCAN -> ((Scan) this).tableId() == TableSchema.METADATA_ID;
            case CONTROL -> true;
        };
    }

    /** Of the keys and values of data: fewer than it has on the wire, and most of them. */
    default long bytes() {
        return switch (kind()) {
            case MUTATE ->
                ((Mutate) this).writes().stream().mapToLong(Write::bytes).sum();
            case SCAN -> ((Scan) this).walk().rows().bytes();
            case CONTROL -> 0;
        };
    }

    /** For a {@code switch} that must name them all; the numbers are on the wire. */
    enum Kind {
        MUTATE(1),
        SCAN(2),
        CONTROL(3);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        public int number() {
            return number;
        }
    }

    /**
     * Row mutations of one table, each applied or refused by itself. All rows lie in tablets of the asked server. Of METADATA
     * a master says its epoch, and is REJECTED where a later one has been heard of; everybody else is {@link #NO_MASTER}.
     */
    record Mutate(long tableId, List<Write> writes, long masterEpoch) implements Request {
        public static final long NO_MASTER = -1;

        public Mutate {
            writes = List.copyOf(writes);
            checkArgument(
                    masterEpoch == NO_MASTER || (masterEpoch >= 0 && tableId == TableSchema.METADATA_ID),
                    "table %d by the master of epoch %d",
                    tableId,
                    masterEpoch);
        }

        /** By nobody who is a master. */
        public Mutate(long tableId, List<Write> writes) {
            this(tableId, writes, NO_MASTER);
        }

        @Override
        public Kind kind() {
            return Kind.MUTATE;
        }
    }

    /**
     * One page of the rows of a walk, as far as one tablet reaches, in order. Resume goes on inside a row that was too large
     * for the page before; the walk then begins with that row.
     */
    record Scan(long tableId, RowWalk walk, Filter filter, PageBounds bounds, Optional<RowResume> resume)
            implements Request {
        /** Of one range, upwards. */
        public Scan(long tableId, RowRange range, Filter filter, PageBounds bounds, Optional<RowResume> resume) {
            this(tableId, RowWalk.over(range), filter, bounds, resume);
        }

        @Override
        public Kind kind() {
            return Kind.SCAN;
        }
    }

    /** One of the control messages in {@code bt.record}. */
    record Control(SpecificRecord message) implements Request {
        @Override
        public Kind kind() {
            return Kind.CONTROL;
        }
    }
}
