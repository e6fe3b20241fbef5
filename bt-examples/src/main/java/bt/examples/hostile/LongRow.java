package bt.examples.hostile;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Scheduler;
import bt.client.Bigtable;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.PageBounds;
import bt.protocol.Request;
import bt.protocol.RowResume;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A row of many pages that nobody changes, in a table of its own, and what is asked to go on inside it. One thread. */
final class LongRow {
    static final String TABLE = "long";
    private static final Bytes ROW = Bytes.utf8("row");
    private static final int COLUMNS = 40;
    private static final int VALUE_BYTES = 20;
    private static final int PAGE_BYTES = 600;
    private static final PageBounds PAGE = new PageBounds(Integer.MAX_VALUE, 100_000, PAGE_BYTES);
    private static final long ANSWER_MILLIS = 60_000;

    /** Of the first, what was met goes with the page; the others count too, each in another way. */
    private static final List<Filter> FILTERS = List.of(
            Filter.ALL,
            new Filter.First(COLUMNS),
            new Filter.Chain(
                    List.of(new Filter.Families(List.of("f")), new Filter.Latest(1), new Filter.SkipFirst(1))));

    private LongRow() {}

    /** The table with the row; its number. */
    static long create(Bigtable bigtable) throws BigtableException {
        TableSchema schema = bigtable.admin()
                .createTable(
                        TableSchema.draft(TABLE)
                                .family("f", new GcRule.MaxVersions(1))
                                .build(),
                        List.of());
        Table table = bigtable.table(TABLE);
        RowMutation.Builder cells = RowMutation.of(ROW);
        for (int i = 0; i < COLUMNS; i++) {
            cells.set(column(i), 1, Bytes.wrap(new byte[VALUE_BYTES]));
        }
        table.apply(cells.build());
        table.apply(RowMutation.of(ROW).deleteColumn(column(0)).build());
        return schema.id();
    }

    /**
     * Right requests that go on behind the first page, as the server there said: of what the row held then, and of what it holds when
     * they come, which are right as long as the row is there.
     */
    static Asked ask(long table, Address server, Network network, Scheduler scheduler)
            throws BigtableException, InterruptedException {
        List<Request.Scan> then = new ArrayList<>();
        List<Request.Scan> always = new ArrayList<>();
        for (Filter filter : FILTERS) {
            RowResume resume = firstPage(scan(table, filter, Optional.empty()), server, network, scheduler)
                    .resume()
                    .orElseThrow(() -> new AssertionError("a row of many pages had one"));
            then.add(scan(table, filter, Optional.of(resume)));
            always.add(scan(table, filter, Optional.of(resume.latest())));
            always.add(scan(table, filter, Optional.of(latestWithWhatWasMet(resume))));
        }
        return new Asked(then, always);
    }

    /**
     * What goes on inside the row.
     *
     * @param then in the row as it was on its first page, which a server need not know for ever
     * @param always in the row as it is
     */
    record Asked(List<Request.Scan> then, List<Request.Scan> always) {
        static final Asked NOTHING = new Asked(List.of(), List.of());

        Asked {
            then = List.copyOf(then);
            always = List.copyOf(always);
        }
    }

    private static Request.Scan scan(long table, Filter filter, Optional<RowResume> resume) {
        return new Request.Scan(table, RowRange.row(ROW), filter, PAGE, resume);
    }

    private static Answer.Page firstPage(Request.Scan scan, Address server, Network network, Scheduler scheduler)
            throws BigtableException, InterruptedException {
        return (Answer.Page) scheduler.await(network.send(server, scan, ANSWER_MILLIS), ANSWER_MILLIS);
    }

    private static RowResume latestWithWhatWasMet(RowResume resume) {
        return new RowResume(resume.afterKey(), RowResume.LATEST, resume.nowMicros(), resume.counted(), resume.met());
    }

    /** How many cells the row has, read page by page. */
    static int read(Bigtable bigtable) throws BigtableException {
        try (Scanner scanner =
                bigtable.table(TABLE).scan(Scan.row(ROW.toUtf8()).pages(Integer.MAX_VALUE, PAGE_BYTES))) {
            return scanner.next().map(Row::cells).map(List::size).orElse(0);
        }
    }

    /** How many it should have. */
    static int cells() {
        return COLUMNS - 1;
    }

    private static ColumnKey column(int number) {
        return ColumnKey.of("f", "column-%02d".formatted(number));
    }
}
