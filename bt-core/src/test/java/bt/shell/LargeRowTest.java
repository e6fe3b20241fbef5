package bt.shell;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.Bigtable;
import bt.client.CellScanner;
import bt.client.LongRow;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.model.GcRule;
import bt.model.Row;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.testing.MemoryCluster;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** A row of twice as many bytes as a JVM has memory, in that JVM. */
class LargeRowTest {
    private static final int HEAP_MIB = 48;
    private static final int CELLS = 2 * HEAP_MIB;
    private static final Scan SCAN = Scan.of(RowRange.row(LongRow.ROW));

    @Test
    void cellsArePrintedAndAWholeRowIsRefusedInOneLine() throws Exception {
        Process child = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx" + HEAP_MIB + "m",
                        // Others leave a part of the heap out of what they call the most memory.
                        "-XX:+UseG1GC",
                        "-cp",
                        System.getProperty("java.class.path"),
                        Child.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(child.getInputStream().readAllBytes(), UTF_8);
        assertThat(child.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(said.lines().filter(line -> line.startsWith("> ")))
                .containsExactly(
                        "> text: " + CELLS + " lines",
                        "> json: 1 lines",
                        "> table t row r: it takes more than 12 MiB, a quarter of this process's heap: read its cells with"
                                + " Table.cells, leave out what is not needed with a filter, or give the process more heap (-Xmx)",
                        "> and again");
    }

    /** The process with little memory. */
    static final class Child {
        private Child() {}

        public static void main(String[] args) throws Exception {
            try (MemoryCluster cluster = new MemoryCluster()) {
                cluster.table(
                        4, TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build(), List.of(), 3);
                cluster.listen(MemoryCluster.address(3), new LongRow(CELLS));
                try (Bigtable bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler)) {
                    Table table = bigtable.table("t");
                    System.out.println("> text: " + lines(table, false) + " lines");
                    System.out.println("> json: " + lines(table, true) + " lines");
                    readWhole(table);
                }
            }
        }

        private static long lines(Table table, boolean json) throws Exception {
            LineCount count = new LineCount();
            try (CellScanner scanner = table.cells(SCAN);
                    PrintStream out = new PrintStream(count, false, UTF_8)) {
                boolean found = new RowPrinter(out, json, ScanEnd.none()).print(new CellStream(scanner, System.err));
                if (!found) {
                    throw new AssertionError("nothing is there");
                }
            }
            return count.lines;
        }

        private static void readWhole(Table table) throws Exception {
            try (Scanner scanner = table.scan(SCAN)) {
                String first = refusal(scanner);
                System.out.println("> " + first);
                // What follows is no row.
                System.out.println(refusal(scanner).equals(first) ? "> and again" : "> something else");
            }
        }

        private static String refusal(Scanner scanner) throws Exception {
            try {
                Optional<Row> row = scanner.next();
                return "a row " + row.map(Row::key).orElse(Bytes.EMPTY);
            } catch (RejectedException refused) {
                return refused.getMessage();
            }
        }
    }

    private static final class LineCount extends OutputStream {
        private long lines;

        @Override
        public void write(int one) {
            lines += one == '\n' ? 1 : 0;
        }

        @Override
        public void write(byte[] bytes, int from, int length) {
            for (int i = from; i < from + length; i++) {
                write(bytes[i]);
            }
        }
    }
}
