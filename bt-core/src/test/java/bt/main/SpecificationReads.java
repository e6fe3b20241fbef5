package bt.main;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.client.AsyncScanner;
import bt.client.AsyncTable;
import bt.client.Bigtable;
import bt.client.CellPage;
import bt.client.CellPosition;
import bt.client.CellScanner;
import bt.client.ReadLimits;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.FilterText;
import bt.model.Row;
import bt.model.RowRange;
import bt.model.RowSet;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * What a {@code get} or {@code scan} of a {@link Specification} asks for, through the ways of the library that the shell does not
 * take: row by row, cell by cell in pages that end anywhere, with futures. Each answers the same. One thread.
 */
public final class SpecificationReads {
    private static final Set<String> READS = Set.of("get", "scan");
    private static final long TIMEOUT_MILLIS = 60_000;

    private final Bigtable bigtable;
    private final Scheduler scheduler;
    private final List<Foreign> foreign;

    /** A door that is not the library's. */
    @FunctionalInterface
    public interface Foreign {
        /** What it finds, in its order; {@link RejectedException} where it is refused. */
        List<Cell> read(String table, Scan scan) throws Exception;
    }

    SpecificationReads(Bigtable bigtable, Scheduler scheduler, List<Foreign> foreign) {
        this.bigtable = bigtable;
        this.scheduler = scheduler;
        this.foreign = List.copyOf(foreign);
    }

    static boolean isOne(List<String> words) {
        return READS.contains(words.get(0)) && !words.contains("-e");
    }

    /** A way for a read; what it finds, in its order. */
    @FunctionalInterface
    private interface Door {
        List<Cell> read() throws Exception;
    }

    /**
     * That the cells are those of these lines, as the shell prints them.
     *
     * @param turn of this door alone, counted round; of all where it is absent
     */
    void check(List<String> words, List<String> lines, OptionalInt turn, String about) throws Exception {
        ParseResult line = parsed(words);
        List<Door> doors = doors(line, scan(line));
        List<Door> asked = turn.isPresent() ? List.of(doors.get(turn.getAsInt() % doors.size())) : doors;
        for (Door door : asked) {
            assertThat(door.read().stream().map(SpecificationReads::printed).toList())
                    .as(about)
                    .isEqualTo(lines);
        }
    }

    /** That all refuse it; what the shell refuses by itself nobody can ask for. */
    void checkRefused(List<String> words, String about) throws Exception {
        List<Door> doors;
        try {
            ParseResult line = parsed(words);
            doors = doors(line, scan(line));
        } catch (RejectedException | IllegalArgumentException | ParameterException | NoSuchFileException refused) {
            return;
        }
        for (Door door : doors) {
            assertThatThrownBy(door::read).as(about).isInstanceOf(RejectedException.class);
        }
    }

    /** Where there are foreign ones these alone: the library's are gone through on the same cluster without them. */
    private List<Door> doors(ParseResult line, Scan scan) throws BigtableException {
        if (!foreign.isEmpty()) {
            return foreign.stream()
                    .<Door>map(other -> () -> other.read(word(line, 0), scan))
                    .toList();
        }
        Table table = bigtable.table(word(line, 0));
        AsyncTable async = bigtable.asyncTable(word(line, 0));
        List<Door> doors = new ArrayList<>(List.of(() -> rows(table.scan(scan)), () -> rows(async.scan(scan))));
        if (scan.limits().cells() == Long.MAX_VALUE && scan.limits().bytes() == Long.MAX_VALUE) {
            // Those end with a row, or with a cell where cells are read.
            doors.add(() -> cells(table.cells(scan.pages(1, 1))));
            doors.add(() -> all(async.cells(scan)));
            doors.add(() -> pages(table, scan));
            doors.add(() -> pages(async, scan.pages(1, 1)));
        }
        if (line.commandSpec().name().equals("get")) {
            List<Bytes> keys = keys(line);
            doors.add(() -> inOrder(keys, table.readAll(keys, scan.filter())));
            doors.add(() -> inOrder(keys, await(async.readAll(keys, scan.filter()))));
            if (keys.size() == 1) {
                Bytes row = keys.get(0);
                doors.add(() -> table.read(row, scan.filter()).map(Row::cells).orElse(List.of()));
                doors.add(() ->
                        await(async.read(row, scan.filter())).map(Row::cells).orElse(List.of()));
            }
        }
        return doors;
    }

    static ParseResult parsed(List<String> words) {
        PrintStream nowhere = new PrintStream(new ByteArrayOutputStream(), false, StandardCharsets.UTF_8);
        return new Main(nowhere, nowhere)
                .commands(words)
                .parseArgs(words.toArray(String[]::new))
                .subcommand();
    }

    private static Scan scan(ParseResult line) throws Exception {
        boolean isGet = line.commandSpec().name().equals("get");
        Scan scan = Scan.of(isGet ? RowSet.rows(keys(line)) : rows(line));
        Optional<String> filter = option(line, "--filter");
        List<Filter> columns = columns(line, isGet);
        if (!columns.isEmpty()) {
            scan = scan.filtered(columns.size() == 1 ? columns.get(0) : new Filter.Interleave(columns));
        }
        if (filter.isPresent()) {
            scan = scan.filtered(FilterText.parse(filter.get()));
        }
        Optional<Long> asOf = option(line, "--as-of");
        if (asOf.isPresent()) {
            scan = scan.asOf(asOf.get());
        }
        Optional<Integer> versions = option(line, "--versions");
        if (versions.isPresent() || filter.isEmpty()) {
            scan = scan.versions(versions.orElse(1));
        }
        boolean reversed = SpecificationReads.<Boolean>option(line, "--reverse").orElse(false);
        return (reversed ? scan.reversed() : scan)
                .limited(new ReadLimits(
                        limit(line, "--limit"), limit(line, "--limit-cells"), limit(line, "--limit-bytes")));
    }

    /** Of a get. */
    private static List<Bytes> keys(ParseResult line) {
        List<Bytes> keys = new ArrayList<>(List.of(Bytes.parse(word(line, 1))));
        SpecificationReads.<List<String>>option(line, "--also")
                .ifPresent(more -> more.forEach(key -> keys.add(Bytes.parse(key))));
        return keys;
    }

    private static List<Filter> columns(ParseResult line, boolean isGet) {
        List<Filter> either = new ArrayList<>();
        if (isGet) {
            for (String word : words(line).subList(2, words(line).size())) {
                either.add(
                        word.contains(":")
                                ? new Filter.Columns(List.of(ColumnKey.parse(word)))
                                : new Filter.Families(List.of(word)));
            }
        } else {
            SpecificationReads.<List<String>>option(line, "--families")
                    .ifPresent(families -> either.add(new Filter.Families(families)));
        }
        return either;
    }

    private static RowSet rows(ParseResult line) throws Exception {
        List<Bytes> named = new ArrayList<>();
        Optional<List<String>> rows = option(line, "--row");
        rows.ifPresent(keys -> keys.forEach(key -> named.add(Bytes.parse(key))));
        Optional<Path> file = option(line, "--rows");
        if (file.isPresent()) {
            Files.readAllLines(file.get()).stream()
                    .filter(key -> !key.isEmpty())
                    .forEach(key -> named.add(Bytes.parse(key)));
        }
        RowRange range = new RowRange(
                Bytes.parse(SpecificationReads.<String>option(line, "--from").orElse("")),
                SpecificationReads.<String>option(line, "--to").map(Bytes::parse));
        if (range.end().filter(end -> end.compareTo(range.start()) < 0).isPresent()) {
            throw new IllegalArgumentException("no rows, as the shell says; to the library that is a scan of none");
        }
        Optional<String> prefix = option(line, "--prefix");
        RowRange within = prefix.isEmpty() ? range : range.intersect(RowRange.prefix(Bytes.parse(prefix.get())));
        return rows.isEmpty() && file.isEmpty()
                ? RowSet.of(within)
                : RowSet.rows(named).intersect(within);
    }

    private static long limit(ParseResult line, String name) {
        return SpecificationReads.<Long>option(line, name).orElse(Long.MAX_VALUE);
    }

    static <T> Optional<T> option(ParseResult line, String name) {
        T value = line.hasMatchedOption(name) ? line.matchedOptionValue(name, (T) null) : null;
        return Optional.ofNullable(value);
    }

    /** Those that are no options, in their order. */
    static List<String> words(ParseResult line) {
        return line.matchedPositionals().stream()
                .flatMap(positional -> positional.stringValues().stream())
                .toList();
    }

    static String word(ParseResult line, int index) {
        return words(line).get(index);
    }

    /** Of rows that came in the order of these keys. */
    private static List<Cell> inOrder(List<Bytes> keys, List<Optional<Row>> rows) {
        assertThat(rows).hasSameSizeAs(keys);
        SortedMap<Bytes, List<Cell>> found = new TreeMap<>();
        for (int i = 0; i < keys.size(); i++) {
            Bytes key = keys.get(i);
            rows.get(i).ifPresent(row -> assertThat(row.key()).isEqualTo(key));
            found.put(key, rows.get(i).map(Row::cells).orElse(List.of()));
        }
        return found.values().stream().flatMap(List::stream).toList();
    }

    private static List<Cell> rows(Scanner rows) throws BigtableException {
        List<Cell> cells = new ArrayList<>();
        try (rows) {
            for (Optional<Row> row = rows.next(); row.isPresent(); row = rows.next()) {
                cells.addAll(row.get().cells());
            }
        }
        return cells;
    }

    private List<Cell> rows(AsyncScanner<Row> rows) throws Exception {
        return all(rows).stream().flatMap(row -> row.cells().stream()).toList();
    }

    private static List<Cell> cells(CellScanner scanner) throws BigtableException {
        List<Cell> cells = new ArrayList<>();
        try (scanner) {
            for (Optional<Cell> cell = scanner.next(); cell.isPresent(); cell = scanner.next()) {
                cells.add(cell.get());
            }
        }
        return cells;
    }

    private <T> List<T> all(AsyncScanner<T> scanner) throws Exception {
        List<T> all = new ArrayList<>();
        for (List<T> some = await(scanner.next()); !some.isEmpty(); some = await(scanner.next())) {
            all.addAll(some);
        }
        return all;
    }

    private static List<Cell> pages(Table table, Scan scan) throws BigtableException {
        CellPage page = table.cellPage(scan, Optional.empty());
        List<Cell> cells = new ArrayList<>(page.cells());
        for (Optional<CellPosition> from = page.next(); from.isPresent(); from = page.next()) {
            page = table.cellPage(scan, from);
            cells.addAll(page.cells());
        }
        return cells;
    }

    private List<Cell> pages(AsyncTable table, Scan scan) throws Exception {
        CellPage page = await(table.cellPage(scan, Optional.empty()));
        List<Cell> cells = new ArrayList<>(page.cells());
        for (Optional<CellPosition> from = page.next(); from.isPresent(); from = page.next()) {
            page = await(table.cellPage(scan, from));
            cells.addAll(page.cells());
        }
        return cells;
    }

    private <T> T await(CompletableFuture<T> future) throws Exception {
        return scheduler.await(future, TIMEOUT_MILLIS);
    }

    private static String printed(Cell cell) {
        String label = cell.label().isEmpty() ? "" : " | " + cell.label();
        return cell.row() + " | " + cell.column() + " | " + cell.timestamp() + " | " + cell.value() + label;
    }
}
