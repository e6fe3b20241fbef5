package bt.thrift.gateway;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.ThreadScheduler;
import bt.client.Bigtable;
import bt.connect.Connect;
import bt.main.SpecificationRun;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.FilterText;
import bt.model.RowSet;
import bt.thrift.gen.BigtableError;
import bt.thrift.gen.ErrorKind;
import bt.thrift.gen.Filter;
import bt.thrift.gen.Page;
import bt.thrift.gen.ReadLimits;
import bt.thrift.gen.Row;
import bt.thrift.gen.RowRange;
import bt.thrift.gen.Scan;
import bt.thrift.gen.ScanRows;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.thrift.TException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What the pages of the specification say of reads is so through a gateway: row by row, in pages of rows, and of cells. */
class SpecificationIT {
    private static final Set<String> TOPICS = Set.of(
            "bytes.txt",
            "deletions.txt",
            "filters.txt",
            "limits.txt",
            "reads.txt",
            "sample.txt",
            "sets.txt",
            "times.txt",
            "timestamps.txt",
            "versions.txt");

    private static GatewayCluster cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = GatewayCluster.start();
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void readsAnswerWhatIsWritten() throws Exception {
        try (ThreadScheduler scheduler = new ThreadScheduler();
                SpecificationRun run = new SpecificationRun(
                        new Owner(),
                        scheduler,
                        List.of(SpecificationIT::rows, SpecificationIT::cells, SpecificationIT::row))) {
            run.run(TOPICS);
        }
    }

    /** What is read has one user, as the gateway has. */
    private record Owner() implements SpecificationRun.Users {
        @Override
        public Bigtable owner() throws BigtableException {
            return Connect.to(cluster.cluster().at());
        }

        @Override
        public Bigtable user(String name) {
            throw new AssertionError("of these pages none has a second user");
        }
    }

    private static List<Cell> rows(String table, bt.client.Scan scan) throws Exception {
        List<Cell> cells = new ArrayList<>();
        Scan sent = sent(scan);
        return answered(() -> {
            ByteBuffer token = ByteBuffer.allocate(0);
            while (token != null) {
                Page page = cluster.calls().scan(table, sent, token);
                page.getRows().forEach(row -> cells.addAll(cells(row)));
                token = page.bufferForResumeToken();
            }
            return cells;
        });
    }

    /** In pages that end behind every cell. Those limits end with a row, or with a cell where cells are read. */
    private static List<Cell> cells(String table, bt.client.Scan scan) throws Exception {
        if (scan.limits().cells() != Long.MAX_VALUE || scan.limits().bytes() != Long.MAX_VALUE) {
            return rows(table, scan);
        }
        List<Cell> cells = new ArrayList<>();
        Scan sent = sent(scan).setPageBytes(1);
        return answered(() -> {
            ByteBuffer token = ByteBuffer.allocate(0);
            while (token != null) {
                Page page = cluster.calls().scanCells(table, sent, token);
                page.getRows().forEach(row -> cells.addAll(cells(row)));
                token = page.bufferForResumeToken();
            }
            return cells;
        });
    }

    /** Of one row; of others as a scan. */
    private static List<Cell> row(String table, bt.client.Scan scan) throws Exception {
        RowSet rows = scan.walk().rows();
        if (!rows.isOneRow()) {
            return rows(table, scan);
        }
        ByteBuffer key = rows.ranges().get(0).start().toBuffer();
        return answered(() -> cells(cluster.calls().readRow(table, key, filter(scan))));
    }

    /** What is asked of a gateway. */
    @FunctionalInterface
    private interface Call {
        List<Cell> answer() throws TException;
    }

    private static List<Cell> answered(Call call) throws Exception {
        try {
            return call.answer();
        } catch (BigtableError error) {
            if (error.getKind() == ErrorKind.REJECTED) {
                throw new RejectedException(String.valueOf(error.getMessage()));
            }
            throw error;
        }
    }

    private static Scan sent(bt.client.Scan scan) {
        Scan sent = new Scan()
                .setFilter(filter(scan))
                .setReversed(scan.walk().reversed())
                .setRows(scan.walk().rows().ranges().stream()
                        .map(SpecificationIT::range)
                        .toList());
        ReadLimits limits = new ReadLimits();
        if (scan.limits().rows() != Long.MAX_VALUE) {
            limits.setRows(scan.limits().rows());
        }
        if (scan.limits().cells() != Long.MAX_VALUE) {
            limits.setCells(scan.limits().cells());
        }
        if (scan.limits().bytes() != Long.MAX_VALUE) {
            limits.setBytes(scan.limits().bytes());
        }
        return sent.setLimits(limits);
    }

    private static ScanRows range(bt.model.RowRange range) {
        RowRange sent = new RowRange().setStart(range.start().toBuffer());
        range.end().ifPresent(end -> sent.setEnd(end.toBuffer()));
        return ScanRows.range(sent);
    }

    private static Filter filter(bt.client.Scan scan) {
        Filter sent = new Filter().setText(FilterText.print(scan.selection().cells()));
        scan.selection().asOf().ifPresent(sent::setAsOf);
        scan.selection().versions().ifPresent(sent::setVersions);
        return sent;
    }

    private static List<Cell> cells(Row row) {
        return row.getCells().stream()
                .map(cell -> new Cell(
                        Bytes.copyOf(row.getKey()),
                        new ColumnKey(
                                cell.getColumn().getFamily(),
                                Bytes.copyOf(cell.getColumn().getQualifier())),
                        cell.getTimestamp(),
                        Bytes.copyOf(cell.getValue()),
                        cell.isSetLabel() ? cell.getLabel() : ""))
                .toList();
    }
}
