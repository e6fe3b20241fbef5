package bt.simulation;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.ByteRange;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.client.Bigtable;
import bt.client.CellPage;
import bt.client.CellPosition;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.client.Written;
import bt.model.Cell;
import bt.model.Change;
import bt.model.ConditionalMutation;
import bt.model.Filter;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.testing.SimCluster;
import bt.testing.history.Operation;
import bt.testing.history.Operation.Result;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/** One client of the cluster, a process of its own: does one thing after the other, and writes down what it was told. */
final class Customer {
    private static final Filter ANYTHING = new Filter.Columns(List.of(Layout.LEFT));

    private final String name;
    private final Scheduler scheduler;
    private final RandomGenerator random;
    private final Journal journal;
    private final Table table;
    private final Adder adder;
    private final boolean onlyReads;
    private final Script.Load load;
    private int tags;
    private String lastNode = "";

    private Customer(String name, SimCluster cluster, Bigtable bigtable, Journal journal, Role role)
            throws BigtableException {
        this.name = name;
        this.scheduler = cluster.scheduler().process(name);
        this.random = cluster.scheduler().random("customer " + name);
        this.journal = journal;
        this.onlyReads = role.onlyReads();
        this.load = role.load();
        this.table = bigtable.table(Layout.TABLE);
        this.adder = new Adder(name, table, journal, random);
    }

    /** What one of them does. */
    private record Role(boolean onlyReads, Script.Load load) {}

    /** All that the script wants. Each future completes when its client has done so much, or died. */
    static List<CompletableFuture<Void>> startAll(SimCluster cluster, Journal journal, Script.Clients clients) {
        List<CompletableFuture<Void>> ends = new ArrayList<>();
        for (int number = 1; number <= clients.number(); number++) {
            String name = name(number);
            Role role = new Role(number <= clients.readers(), clients.load());
            CompletableFuture<Void> end = new CompletableFuture<>();
            ends.add(end);
            cluster.scheduler().whenCrashed(name, () -> end.complete(null));
            cluster.scheduler().process(name).start("customer", () -> {
                Customer customer = open(name, cluster, journal, role);
                for (int i = 0; i < clients.operations(); i++) {
                    customer.act();
                    customer.scheduler.pause(1 + customer.random.nextLong(clients.pauseMillis()));
                }
                end.complete(null);
            });
        }
        return ends;
    }

    /** From 1 on. */
    static String name(int number) {
        return "client-" + number;
    }

    private static Customer open(String name, SimCluster cluster, Journal journal, Role role)
            throws InterruptedException {
        Bigtable bigtable = cluster.client(name);
        while (true) {
            try {
                return new Customer(name, cluster, bigtable, journal, role);
            } catch (BigtableException later) {
                cluster.scheduler().process(name).pause(1_000);
            }
        }
    }

    private void act() {
        String account = account();
        int choice = onlyReads ? 60 + random.nextInt(25) : random.nextInt(100);
        if (choice < 20) {
            write(account);
        } else if (choice < 26) {
            writeAll();
        } else if (choice < 34) {
            delete(account);
        } else if (choice < 48) {
            transfer(account);
        } else if (choice < 60) {
            adder.act();
        } else if (choice < 72) {
            Optional<Row> unused = read(account);
        } else if (choice < 80) {
            readByPages(account);
        } else if (choice < 88) {
            scan();
        } else {
            link();
        }
    }

    private String account() {
        boolean isHot = random.nextInt(100) < load.hotPercent();
        return Layout.ACCOUNTS.get(isHot ? 0 : random.nextInt(Layout.ACCOUNTS.size()));
    }

    private String nextTag() {
        return name + "." + ++tags;
    }

    private void write(String row) {
        String tag = nextTag();
        RowMutation mutation =
                Layout.account(row, tag, random.nextInt(Layout.SUM), random.nextInt(load.paddingBytes()));
        var unused = apply(mutation, Operation.write(name, row, Optional.of(tag), journal.nowNanos()));
    }

    /** Several in one call, some of them of one row. Each is an operation of its own: it is applied or not, once. */
    private void writeAll() {
        List<RowMutation> mutations = new ArrayList<>();
        List<Operation> writes = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        for (int left = 2 + random.nextInt(4); left > 0; left--) {
            String row = account();
            String tag = nextTag();
            mutations.add(Layout.account(row, tag, random.nextInt(Layout.SUM), random.nextInt(load.paddingBytes())));
            Operation write = Operation.write(name, row, Optional.of(tag), journal.nowNanos());
            writes.add(write);
            numbers.add(journal.begin(write));
        }
        List<Result> told = applyAll(mutations, writes);
        for (int i = 0; i < told.size(); i++) {
            journal.end(numbers.get(i), told.get(i));
        }
    }

    private List<Result> applyAll(List<RowMutation> mutations, List<Operation> writes) {
        try {
            List<Result> told = new ArrayList<>();
            for (Written written : table.applyAll(mutations)) {
                told.add(told(writes.get(told.size()), written));
            }
            return told;
        } catch (BigtableException failed) {
            return Collections.nCopies(mutations.size(), told(Layout.TABLE, failed));
        }
    }

    private Result told(Operation write, Written written) {
        if (written.failure().isPresent()) {
            return told(write.row(), written.failure().get());
        }
        journal.told(write, written.answer());
        return Result.DONE;
    }

    /** One of the ways in which a row loses all that it has. */
    private void delete(String row) {
        RowMutation.Builder mutation = RowMutation.of(row);
        switch (random.nextInt(3)) {
            case 0 -> mutation.deleteRow();
            case 1 -> mutation.deleteFamily("a").deleteFamily("b");
            default -> mutation.deleteColumn(Layout.LEFT).add(new Change.DeleteColumn(Layout.RIGHT));
        }
        var unused = apply(mutation.build(), Operation.write(name, row, Optional.empty(), journal.nowNanos()));
    }

    private Result apply(RowMutation mutation, Operation operation) {
        long number = journal.begin(operation);
        Result told;
        try {
            long answer = table.apply(mutation);
            journal.told(operation, answer);
            told = Result.DONE;
        } catch (BigtableException failed) {
            told = told(operation.row(), failed);
        }
        journal.end(number, told);
        return told;
    }

    /** Of the left column. */
    private static Filter newestIs(Bytes value) {
        return new Filter.Chain(
                List.of(ANYTHING, new Filter.Latest(1), new Filter.Within(Filter.Part.VALUE, ByteRange.only(value))));
    }

    /** Done if the predicate lets something pass, or lets nothing pass, as is wanted. */
    private Result apply(String row, ConditionalMutation mutation, boolean wanted) {
        try {
            return table.apply(mutation) == wanted ? Result.DONE : Result.REFUSED;
        } catch (BigtableException failed) {
            return told(row, failed);
        }
    }

    private Result told(String row, BigtableException failed) {
        journal.failed(row, failed);
        return failed.outcome() == Outcome.UNKNOWN ? Result.UNKNOWN : Result.FAILED;
    }

    /** Takes from one column what it gives to the other, if nobody came in between. */
    private void transfer(String account) {
        Optional<Row> now;
        try {
            now = readOrFail(account);
        } catch (BigtableException unread) {
            journal.failed(account, unread);
            return;
        }
        Optional<Bytes> left = now.flatMap(row -> row.value(Layout.LEFT));
        int amount = left.map(Layout::amount).orElse(Layout.SUM / 2);
        String tag = nextTag();
        int moved = (amount + random.nextInt(Layout.SUM)) % Layout.SUM;
        RowMutation mutation = Layout.account(account, tag, moved, random.nextInt(load.paddingBytes()));
        long number = journal.begin(
                Operation.swap(name, account, left.map(Layout::tag), Optional.of(tag), journal.nowNanos()));
        journal.end(
                number,
                left.map(value -> apply(account, ConditionalMutation.when(newestIs(value), mutation), true))
                        .orElseGet(() -> apply(account, ConditionalMutation.unless(ANYTHING, mutation), false)));
    }

    private Optional<Row> read(String account) {
        try {
            return readOrFail(account);
        } catch (BigtableException unread) {
            journal.failed(account, unread);
            return Optional.empty();
        }
    }

    private Optional<Row> readOrFail(String account) throws BigtableException {
        long begun = journal.nowNanos();
        Filter filter = random.nextBoolean() ? Filter.ALL : new Filter.Latest(1);
        Optional<Row> row = table.read(Bytes.utf8(account), filter);
        saw(account, row, begun);
        return row;
    }

    /**
     * A cell or a few at a time, as a gateway does, which keeps nothing but the position: all of them together show the row
     * at one moment, whatever has died and moved between two.
     */
    private void readByPages(String account) {
        long begun = journal.nowNanos();
        Scan scan = Scan.of(RowRange.row(Bytes.utf8(account)))
                .filtered(random.nextBoolean() ? Filter.ALL : new Filter.Latest(1))
                .pages(1, 1 << (5 + random.nextInt(6)));
        List<Cell> cells = new ArrayList<>();
        try {
            Optional<CellPosition> next = Optional.empty();
            do {
                CellPage page = table.cellPage(scan, next);
                cells.addAll(page.cells());
                next = page.next();
                if (next.isPresent()) {
                    next = Optional.of(CellPosition.decode(next.get().encode()));
                }
            } while (next.isPresent());
        } catch (RejectedException gone) {
            // What the row's first page saw may have gone with the server that knew of the reader.
            return;
        } catch (BigtableException broken) {
            // Of a part of a row nothing can be said.
            journal.failed(account, broken);
            return;
        }
        saw(account, cells.isEmpty() ? Optional.empty() : Optional.of(new Row(Bytes.utf8(account), cells)), begun);
    }

    private void saw(String account, Optional<Row> row, long begun) {
        row.flatMap(Layout::torn).ifPresent(journal::saw);
        row.ifPresent(journal::saw);
        Optional<String> tag = row.flatMap(found -> found.value(Layout.LEFT)).map(Layout::tag);
        journal.read(Operation.read(name, account, tag, begun, journal.nowNanos()));
    }

    /** Each account that is passed was so at one moment of the scan; one that is passed over held nothing then. */
    private void scan() {
        String from = Layout.ACCOUNTS.get(random.nextInt(Layout.ACCOUNTS.size()));
        long begun = journal.nowNanos();
        Set<String> left = new HashSet<>(
                Layout.ACCOUNTS.stream().filter(row -> row.compareTo(from) >= 0).toList());
        boolean reversed = random.nextBoolean();
        Scan forwards = Scan.of(rows(from));
        Scan scan = (reversed ? forwards.reversed() : forwards).pages(1 + random.nextInt(4), 1 << 16);
        List<String> keys = new ArrayList<>();
        try (Scanner scanner = table.scan(scan)) {
            for (Optional<Row> row = scanner.next(); row.isPresent(); row = scanner.next()) {
                String key = row.get().key().toUtf8();
                keys.add(key);
                if (left.remove(key)) {
                    saw(key, row, begun);
                } else {
                    journal.saw(row.get());
                }
            }
            Layout.ACCOUNTS.stream().filter(left::contains).forEach(row -> saw(row, Optional.empty(), begun));
        } catch (BigtableException broken) {
            // What it saw until then it saw.
            journal.failed(from, broken);
        }
        if (reversed) {
            Collections.reverse(keys);
        }
        Remains.order(keys).forEach(journal::saw);
    }

    /** All accounts from there on, as a range or by their names. */
    private RowSet rows(String from) {
        return random.nextInt(3) > 0
                ? RowSet.of(RowRange.from(Bytes.utf8(from)))
                : RowSet.rows(Layout.ACCOUNTS.stream()
                        .filter(row -> row.compareTo(from) >= 0)
                        .map(Bytes::utf8)
                        .toList());
    }

    /** One more link, at any place of the key space; now and then a new chain. */
    private void link() {
        String row = (char) ('a' + random.nextInt(26))
                + Layout.NODE
                + Long.toHexString(random.nextLong())
                + Long.toHexString(random.nextLong());
        String named = random.nextInt(8) == 0 ? "" : lastNode;
        Operation operation = Operation.write(name, row, Optional.of(named), journal.nowNanos());
        if (apply(Layout.node(row, named), operation) == Result.DONE) {
            lastNode = row;
        }
    }
}
