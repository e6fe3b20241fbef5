package bt.thrift.gateway;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.ThreadScheduler;
import bt.client.Bigtable;
import bt.connect.Connect;
import bt.main.DevProcesses;
import bt.main.JavaProcess;
import bt.main.SpecificationReads;
import bt.main.SpecificationRun;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.FilterText;
import bt.model.RowSet;
import bt.thrift.gen.BigtableError;
import bt.thrift.gen.ErrorKind;
import bt.thrift.gen.Filter;
import bt.thrift.gen.Gateway;
import bt.thrift.gen.Operation;
import bt.thrift.gen.OperationKind;
import bt.thrift.gen.Page;
import bt.thrift.gen.ReadLimits;
import bt.thrift.gen.Row;
import bt.thrift.gen.RowRange;
import bt.thrift.gen.Scan;
import bt.thrift.gen.ScanRows;
import bt.thrift.gen.Server;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.thrift.TException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the pages of the specification say of rows is so through a gateway, a process beside those of a cluster of two tablet
 * servers: all that they write goes through it, but for transactions, which are the library's, and what they read, row by row, in
 * pages of rows, and of cells.
 */
class SpecificationIT {
    private static final Set<String> TOPICS = Set.of(
            "batches.txt",
            "branches.txt",
            "bytes.txt",
            "conditions.txt",
            "counters.txt",
            "deletions.txt",
            "filters.txt",
            "garbage.txt",
            "limits.txt",
            "mutations.txt",
            "reads.txt",
            "sample.txt",
            "sets.txt",
            "times.txt",
            "timestamps.txt",
            "transactions.txt",
            "versions.txt");

    /** Lines of these pages write so often, those that other users write, and that no program could ask for, left out. */
    private static final int WRITES = 200;

    private static final Pattern READY = Pattern.compile("ready: Thrift gateway of \\S+ at 127.0.0.1:(\\d+), ");

    @TempDir
    private Path directory;

    @Test
    void writesAndReadsAnswerWhatIsWritten() throws Exception {
        try (DevProcesses cluster = new DevProcesses(directory);
                JavaProcess gateway = JavaProcess.bt(directory, "--at", cluster.at(), "thrift", "--port", "0")) {
            Matcher ready = READY.matcher(gateway.awaitOutput("ready: ").output());
            assertThat(ready.find()).isTrue();
            try (Dialled client = Dialled.to(Integer.parseInt(ready.group(1)));
                    ThreadScheduler scheduler = new ThreadScheduler();
                    SpecificationRun run = new SpecificationRun(
                            new Owner(cluster.at()),
                            scheduler,
                            new Reads(client.calls()).all(),
                            new GatewayWrites(client.calls()))) {
                assertThat(run.run(TOPICS)).isGreaterThan(WRITES);
                checkDrain(client.calls());
            }
        }
    }

    /** Here are two servers, of which one can give the other all that it has. */
    private static void checkDrain(Gateway.Client calls) throws TException {
        Server server = calls.listServers().getServers().get(0);
        Operation drain = calls.startDrain(server.getAddress());
        assertThat(drain.getId()).isEqualTo("drain/" + server.getId());
        assertThat(drain.getKind()).isEqualTo(OperationKind.DRAIN);
        for (int waits = 0; waits < 4 && !drain.isDone(); waits++) {
            drain = calls.awaitOperation(drain.getId(), 15_000);
        }
        assertThat(drain.isDone()).isTrue();
        assertThat(calls.tablets("spec"))
                .noneMatch(tablet -> server.getAddress().equals(tablet.getServer()));
        assertThat(server(calls, server.getId())).matches(now -> now.isDraining() && now.getTablets() == 0);
        calls.endDrain(server.getId());
        assertThat(server(calls, server.getId()).isDraining()).isFalse();
    }

    private static Server server(Gateway.Client calls, String id) throws TException {
        return calls.listServers().getServers().stream()
                .filter(server -> server.getId().equals(id))
                .findFirst()
                .orElseThrow();
    }

    /** These pages have one user, as the gateway has. */
    private record Owner(String at) implements SpecificationRun.Users {
        @Override
        public Bigtable owner() throws BigtableException {
            return Connect.to(at);
        }

        @Override
        public Bigtable user(String name) {
            throw new AssertionError("of these pages none has a second user");
        }
    }

    /** The ways of a gateway's client. */
    private record Reads(Gateway.Client calls) {
        List<SpecificationReads.Foreign> all() {
            return List.of(this::inPages, this::inPagesOfCells, this::alone, this::named);
        }

        private List<Cell> inPages(String table, bt.client.Scan scan) throws Exception {
            List<Cell> cells = new ArrayList<>();
            Scan sent = sent(scan);
            return answered(() -> {
                ByteBuffer token = ByteBuffer.allocate(0);
                while (token != null) {
                    Page page = calls.scan(table, sent, token);
                    page.getRows().forEach(row -> cells.addAll(cells(row)));
                    token = page.bufferForResumeToken();
                }
                return cells;
            });
        }

        /** In pages that end behind every cell. Those limits end with a row, or with a cell where cells are read. */
        private List<Cell> inPagesOfCells(String table, bt.client.Scan scan) throws Exception {
            if (scan.limits().cells() != Long.MAX_VALUE || scan.limits().bytes() != Long.MAX_VALUE) {
                return inPages(table, scan);
            }
            List<Cell> cells = new ArrayList<>();
            Scan sent = sent(scan).setPageBytes(1);
            return answered(() -> {
                ByteBuffer token = ByteBuffer.allocate(0);
                while (token != null) {
                    Page page = calls.scanCells(table, sent, token);
                    page.getRows().forEach(row -> cells.addAll(cells(row)));
                    token = page.bufferForResumeToken();
                }
                return cells;
            });
        }

        /** Of one row; of others as a scan. */
        private List<Cell> alone(String table, bt.client.Scan scan) throws Exception {
            RowSet rows = scan.walk().rows();
            if (!rows.isOneRow()) {
                return inPages(table, scan);
            }
            ByteBuffer key = rows.ranges().get(0).start().toBuffer();
            return answered(() -> cells(calls.readRow(table, key, filter(scan))));
        }

        /** Of some rows, in the order of the scan; of others as a scan. */
        private List<Cell> named(String table, bt.client.Scan scan) throws Exception {
            List<bt.model.RowRange> ranges = scan.walk().rows().ranges();
            if (!ranges.stream().allMatch(bt.model.RowRange::isOneRow)
                    || !scan.limits().equals(bt.client.ReadLimits.NONE)) {
                return inPages(table, scan);
            }
            List<ByteBuffer> keys = new ArrayList<>(
                    ranges.stream().map(range -> range.start().toBuffer()).toList());
            if (scan.walk().reversed()) {
                Collections.reverse(keys);
            }
            return answered(() -> calls.readRows(table, keys, filter(scan)).stream()
                    .flatMap(row -> cells(row).stream())
                    .toList());
        }
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
                throw BigtableException.of(
                        BigtableException.Kind.REJECTED,
                        String.valueOf(error.getMessage()),
                        BigtableException.Outcome.NOT_APPLIED,
                        0);
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
