package bt.metadata;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Deadline;
import bt.base.UnavailableException;
import bt.metadata.MetadataTable.DamagedRow;
import bt.model.Cell;
import bt.model.Change;
import bt.model.Filter;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.RowWalk;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Answer.Page;
import bt.protocol.Calls;
import bt.protocol.Condition;
import bt.protocol.PageBounds;
import bt.protocol.Request;
import bt.protocol.RowAssembler;
import bt.protocol.RowResume;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** The rows in METADATA's tablets, read and written like those of any table. Any thread. */
final class TabletsHome implements RowHome {
    private static final Filter COLUMNS = new Filter.Families(List.of(MetadataSchema.LOCATION, MetadataSchema.STATE));

    /** Of events, of which many are kept, the newest of each column alone: their times. */
    private static final Filter NEWEST = new Filter.Chain(List.of(
            new Filter.Families(List.of(MetadataSchema.LOCATION, MetadataSchema.STATE, MetadataSchema.EVENTS)),
            new Filter.Latest(1)));

    private static final Filter LOCATION = new Filter.Families(List.of(MetadataSchema.LOCATION));
    private static final PageBounds ONE_ROW = new PageBounds(1, 1_000, 1 << 20);
    private static final Filter LAST_EVENTS =
            new Filter.Chain(List.of(new Filter.Families(List.of(MetadataSchema.EVENTS)), new Filter.Latest(1)));

    private final Calls calls;
    private final Locator locator;

    TabletsHome(Calls calls, Locator locator) {
        this.calls = calls;
        this.locator = locator;
    }

    @Override
    public Optional<MetadataRow> read(TabletId id, Deadline deadline) throws BigtableException, InterruptedException {
        RowAssembler assembler = new RowAssembler();
        Optional<RowResume> resume = Optional.empty();
        RowRange range = RowRange.row(MetadataKeys.of(id));
        do {
            Page page = page(RowWalk.over(range), COLUMNS, PageBounds.DEFAULT, resume, deadline);
            resume = page.resume();
            for (Row row : assembler.rows(page)) {
                return Optional.of(decode(row));
            }
        } while (resume.isPresent());
        return Optional.empty();
    }

    private static MetadataRow decode(Row row) throws CorruptionException {
        try {
            return MetadataRowCodec.decode(row);
        } catch (CorruptionException damaged) {
            throw new DamagedRow(row.key(), damaged).told();
        }
    }

    /** One page of whole rows, gone ones too, what is damaged, and where the next begins. */
    Found scan(RowWalk keys, Deadline deadline) throws BigtableException, InterruptedException {
        Raw page = raw(keys, COLUMNS, deadline);
        List<MetadataRow> rows = new ArrayList<>();
        List<DamagedRow> damage = new ArrayList<>();
        for (Row row : page.rows()) {
            try {
                rows.add(MetadataRowCodec.decode(row));
            } catch (CorruptionException damaged) {
                damage.add(new DamagedRow(row.key(), damaged));
            }
        }
        return new Found(rows, damage, page.next());
    }

    /** The same for a check, which damage does not end. */
    SeenPage look(RowRange range, Deadline deadline) throws BigtableException, InterruptedException {
        return SeenPage.of(raw(RowWalk.over(range), NEWEST, deadline));
    }

    private Raw raw(RowWalk keys, Filter columns, Deadline deadline) throws BigtableException, InterruptedException {
        RowAssembler assembler = new RowAssembler();
        List<Row> rows = new ArrayList<>();
        RowWalk rest = keys;
        Page page;
        Optional<RowResume> resume = Optional.empty();
        do {
            page = page(rest, columns, PageBounds.DEFAULT, resume, deadline);
            resume = page.resume();
            rows.addAll(assembler.rows(page));
            rest = page.next().map(rest::from).orElse(rest);
        } while (resume.isPresent());
        return new Raw(rows, page.next());
    }

    /** The table of the first row in the range, a gone one too. */
    Optional<Long> firstTable(RowRange range, Deadline deadline) throws BigtableException, InterruptedException {
        RowRange rest = range;
        while (true) {
            Page page = page(RowWalk.over(rest), LOCATION, ONE_ROW, Optional.empty(), deadline);
            if (!page.cells().isEmpty()) {
                return Optional.of(
                        MetadataKeys.decode(page.cells().get(0).row()).tableId());
            }
            if (page.next().isEmpty()) {
                return Optional.empty();
            }
            rest = new RowRange(page.next().get(), range.end());
        }
    }

    /** When the row was changed last, in microseconds of its server's time; empty when there is no row. */
    Optional<Long> changedMicros(TabletId id, Deadline deadline) throws BigtableException, InterruptedException {
        RowWalk row = RowWalk.over(RowRange.row(MetadataKeys.of(id)));
        Page page = page(row, LAST_EVENTS, ONE_ROW, Optional.empty(), deadline);
        return page.cells().stream().map(Cell::timestamp).max(Comparator.naturalOrder());
    }

    /** Deletes a row that has the generation. REJECTED, among other reasons, when it has another. */
    void delete(MetadataRow row, WriteId id, Deadline deadline) throws BigtableException, InterruptedException {
        Bytes key = MetadataKeys.of(row.id());
        Condition condition = Condition.newest(
                MetadataSchema.GENERATION_COLUMN, Optional.of(MetadataRowCodec.number(row.generation())));
        mutate(
                new Write(RowMutation.of(key).add(new Change.DeleteRow()).build(), id, Optional.of(condition)),
                Request.Mutate.NO_MASTER,
                deadline);
    }

    /** Whole rows as they lie in METADATA, and where the next page begins. */
    record Raw(List<Row> rows, Optional<Bytes> next) {}

    record Found(List<MetadataRow> rows, List<DamagedRow> damage, Optional<Bytes> next) {}

    @Override
    public void write(RowChange change, Deadline deadline) throws BigtableException, InterruptedException {
        Condition condition = Condition.newest(
                MetadataSchema.GENERATION_COLUMN, change.expectedGeneration().map(MetadataRowCodec::number));
        Write write = new Write(
                MetadataRowCodec.encode(change.wanted(), change.event()), change.id(), Optional.of(condition));
        mutate(write, change.masterEpoch(), deadline);
    }

    private void mutate(Write write, long masterEpoch, Deadline deadline)
            throws BigtableException, InterruptedException {
        Request.Mutate request = new Request.Mutate(TableSchema.METADATA_ID, List.of(write), masterEpoch);
        TabletPlace place =
                locator.locate(TableSchema.METADATA_ID, write.mutation().row(), deadline);
        try {
            WriteResult result =
                    calls.mutate(place.address(), request, deadline).get(0);
            if (result.failure().isPresent()) {
                throw result.failure().get();
            }
        } catch (UnavailableException stale) {
            locator.forget(place);
            throw stale;
        }
    }

    private Page page(RowWalk keys, Filter filter, PageBounds bounds, Optional<RowResume> resume, Deadline deadline)
            throws BigtableException, InterruptedException {
        TabletPlace place = locator.locate(TableSchema.METADATA_ID, keys.next(), deadline);
        try {
            Request.Scan scan = new Request.Scan(TableSchema.METADATA_ID, keys, filter, bounds, resume);
            return calls.scan(place.address(), scan, deadline);
        } catch (UnavailableException stale) {
            locator.forget(place);
            throw stale;
        }
    }
}
