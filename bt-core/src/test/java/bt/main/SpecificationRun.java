package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Scheduler;
import bt.client.Admin;
import bt.client.Bigtable;
import bt.client.Table;
import bt.client.TableSizes;
import bt.client.TabletEvent;
import bt.client.TabletEvents;
import bt.client.TabletInfo;
import bt.command.ExitCode;
import bt.main.CommandLines.Result;
import bt.main.Specification.Step;
import bt.model.ColumnKey;
import bt.model.DroppedTable;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.record.ServerLine;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The pages of the specification on one cluster of two servers, whichever it is: every answer is the one that is written,
 * and stays it whatever becomes of memtables, files and tablets. Each of these is seen to have happened before the answers
 * are asked for again.
 */
final class SpecificationRun implements AutoCloseable {
    private static final String TABLE = "spec";
    private static final String SCHEMA = "src/test/resources/spec/table.json";

    /** Rows that pages write lie before, between and behind them. */
    private static final List<Bytes> SPLITS = List.of(
            Bytes.utf8("d4"), Bytes.utf8("f.com.cnn.money"), Bytes.utf8("g3"), Bytes.utf8("r2"), Bytes.utf8("t1"));

    /** More files are merged whatever their sizes, fewer of one size too. */
    private static final int FILES = 5;

    /** Of an operation, by its id. */
    private static final Pattern PROGRESS = Pattern.compile("^(flush|compaction|split|merge)/\\S+\t");

    private static final Pattern DROPPED = Pattern.compile("\\{dropped:(\\S+)}");

    private static final long LOOK_MILLIS = 50;
    private static final int LOOKS = 1_200;

    private final Users users;
    private final Scheduler scheduler;
    private final Bigtable bigtable;
    private final CommandLines bt;
    private final List<Specification> pages;
    private final Map<String, Bigtable> others = new HashMap<>();

    /** Clients of one cluster. */
    interface Users {
        /** Whose servers they are. */
        Bigtable owner() throws BigtableException;

        Bigtable user(String name) throws BigtableException;
    }

    SpecificationRun(Users users, Scheduler scheduler) throws IOException {
        this.users = users;
        this.scheduler = scheduler;
        pages = Specification.all();
        assertThat(pages).hasSizeGreaterThan(19);
        bigtable = users.owner();
        bt = CommandLines.over(bigtable);
    }

    @Override
    public void close() {
        others.values().forEach(Bigtable::close);
        bigtable.close();
    }

    /** On a cluster without tables. */
    void run() throws Exception {
        for (int looks = 0; servers().size() < 2; looks++) {
            assertThat(looks).as("%s are two servers", servers()).isLessThan(LOOKS);
            scheduler.pause(LOOK_MILLIS);
        }
        Result created = bt.run("schema", "apply", SCHEMA, "--yes");
        assertThat(created.code()).as(created.err()).isEqualTo(ExitCode.DONE);
        for (Specification page : pages) {
            for (Step step : page.steps()) {
                check(page, step, "as written");
            }
        }

        for (TableSchema table : bigtable.admin().tables()) {
            flush(table.name());
        }
        readAgain("from files");

        compact();
        readAgain("after compactions");

        for (Bytes row : SPLITS) {
            bigtable.admin().splitTablet(TABLE, row);
        }
        assertThat(bigtable.table(TABLE).tablets()).hasSize(SPLITS.size() + 1);
        readAgain("after splits");

        for (TableSchema table : bigtable.admin().tables()) {
            move(table.name());
        }
        readAgain("after moves");
    }

    private void flush(String table) throws Exception {
        bigtable.admin().flush(table);
        assertThat(bigtable.admin().sizes(table).families()).as(table).allMatch(family -> family.memoryCells() == 0);
    }

    /**
     * Files enough, each as large as what the pages wrote, that the server merges all of both locality groups; then waits
     * until it has: a major compaction of each, for nothing of the table is left out.
     */
    private void compact() throws Exception {
        Table table = bigtable.table(TABLE);
        Random random = new Random(1);
        Map<String, Integer> before = files();
        assertThat(before)
                .hasSize(2)
                .allSatisfy((group, files) -> assertThat(files).as(group).isPositive());
        for (int i = 0; i < FILES; i++) {
            byte[] incompressible = new byte[100_000];
            random.nextBytes(incompressible);
            for (String family : List.of("all", "far")) {
                table.apply(RowMutation.of("~bystander")
                        .set(ColumnKey.of(family, "q" + i), Bytes.wrap(incompressible))
                        .build());
            }
            flush(TABLE);
        }
        for (int looks = 0;
                majorCompactions() < 2 || files().values().stream().anyMatch(count -> count >= FILES);
                looks++) {
            assertThat(looks).as("%s files, %s", files(), history()).isLessThan(LOOKS);
            scheduler.pause(LOOK_MILLIS);
        }
    }

    /** Of each locality group. */
    private Map<String, Integer> files() throws Exception {
        return bigtable.admin().sizes(TABLE).groups().stream()
                .collect(Collectors.toMap(
                        TableSizes.Group::name, group -> group.files().count()));
    }

    private long majorCompactions() throws Exception {
        return history().stream()
                .filter(what -> what.startsWith("major compaction"))
                .count();
    }

    private List<String> history() throws Exception {
        List<String> all = new ArrayList<>();
        try (TabletEvents events = bigtable.admin().history(TABLE)) {
            for (Optional<TabletEvent> event = events.next(); event.isPresent(); event = events.next()) {
                all.add(event.get().what());
            }
        }
        return all;
    }

    /** Every tablet to a server that does not serve it. */
    private void move(String table) throws Exception {
        Admin admin = bigtable.admin();
        for (TabletInfo tablet : bigtable.table(table).tablets()) {
            String from = tablet.server().orElseThrow();
            String to = servers().stream()
                    .filter(server -> !server.equals(from))
                    .findFirst()
                    .orElseThrow();
            Bytes first = tablet.range().start();
            admin.moveTablet(table, first.isEmpty() ? Bytes.utf8("a") : first, to);
            assertThat(bigtable.table(table).tablets())
                    .as("%s moved from %s to %s", tablet.range(), from, to)
                    .anyMatch(moved -> moved.range().equals(tablet.range())
                            && moved.server().orElse("").equals(to));
        }
    }

    private List<String> servers() throws Exception {
        return bigtable.admin().clusterStatus().getServers().stream()
                .map(ServerLine::getAddress)
                .toList();
    }

    private void readAgain(String when) throws Exception {
        for (Specification page : pages) {
            for (Step step : page.steps().stream().filter(Step::isRead).toList()) {
                check(page, step, when);
            }
        }
    }

    private void check(Specification page, Step step, String when) throws Exception {
        Result result = result(step);
        String about = page.topic() + ", " + when + ": " + shortened(String.join(" ", step.words()));
        if (step.refusal().isPresent()) {
            assertThat(result.code()).as(about + result.err()).isEqualTo(ExitCode.REJECTED);
            assertThat(result.err()).as(about).contains(step.refusal().get());
        } else if (step.answer().equals(List.of("(nothing)"))) {
            assertThat(result).as(about).isEqualTo(new Result(ExitCode.NOTHING_FOUND, "", ""));
        } else {
            List<String> told = result.err()
                    .lines()
                    .filter(line -> !PROGRESS.matcher(line).find())
                    .toList();
            assertThat(told).as(about).hasSameSizeAs(step.told());
            for (int i = 0; i < told.size(); i++) {
                assertThat(told.get(i)).as(about).contains(step.told().get(i));
            }
            assertThat(result.out().replace("\t", " | ").lines().toList())
                    .as(about)
                    .isEqualTo(step.answer());
            assertThat(result.code()).as(about).isEqualTo(ExitCode.DONE);
        }
    }

    private Result result(Step step) throws BigtableException {
        Bigtable client = client(step.user());
        if (SpecificationCalls.isOne(step.words())) {
            return SpecificationCalls.run(client, step.words());
        }
        List<String> words = new ArrayList<>();
        for (String word : step.words()) {
            Matcher dropped = DROPPED.matcher(word);
            words.add(dropped.matches() ? Long.toString(firstDropped(dropped.group(1))) : word);
        }
        return CommandLines.over(client).run(words.toArray(String[]::new));
    }

    private long firstDropped(String table) throws BigtableException {
        return bigtable.admin().droppedTables().stream()
                .map(DroppedTable::schema)
                .filter(schema -> schema.name().equals(table))
                .mapToLong(TableSchema::id)
                .min()
                .orElseThrow();
    }

    private Bigtable client(Optional<String> user) throws BigtableException {
        if (user.isEmpty()) {
            return bigtable;
        }
        Bigtable open = others.get(user.get());
        if (open == null) {
            open = users.user(user.get());
            others.put(user.get(), open);
        }
        return open;
    }

    private static String shortened(String line) {
        return line.length() < 200 ? line : line.substring(0, 200) + "…";
    }
}
