package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Scheduler;
import bt.client.Bigtable;
import bt.client.Scan;
import bt.client.Scanner;
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
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.TableSchema;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The pages of the specification on one cluster of two servers, whichever it is: every answer is the one that is written,
 * and stays it whatever becomes of memtables, files and tablets, at the end or between the steps.
 */
public final class SpecificationRun implements AutoCloseable {
    private static final String TABLE = "spec";
    private static final String SCHEMA = "../bt-core/src/test/resources/spec/table.json";

    /** Rows that pages write lie before, between and behind them. */
    private static final List<Bytes> SPLITS = List.of(
            Bytes.utf8("d4"), Bytes.utf8("f.com.cnn.money"), Bytes.utf8("g3"), Bytes.utf8("r2"), Bytes.utf8("t1"));

    /** So many are merged though they come in one minute. */
    private static final int FILES = 8;

    /** Of an operation, by its id. */
    private static final Pattern PROGRESS = Pattern.compile("^(flush|compaction|split|merge|creation)/\\S+\t");

    private static final Pattern DROPPED = Pattern.compile("\\{dropped:(\\S+)}");

    private static final long LOOK_MILLIS = 50;
    private static final int LOOKS = 1_200;

    private final Users users;
    private final Scheduler scheduler;
    private final Bigtable bigtable;
    private final CommandLines bt;
    private final Upkeep upkeep;
    private final List<Specification> pages;
    private final Map<String, Bigtable> others = new HashMap<>();
    private final List<SpecificationReads.Foreign> foreign;

    /** They take turns; empty: the shell, and the library where that has no such line. */
    private final List<Optional<Door>> writes;

    private final Map<String, Integer> written = new TreeMap<>();
    private int writeTurns;
    private int foreignWrites;
    private boolean everyDoor = true;
    private int turns;

    /** Clients of one cluster. */
    public interface Users {
        /** Whose servers they are. */
        Bigtable owner() throws BigtableException;

        Bigtable user(String name) throws BigtableException;
    }

    /** A door for the writes of whose client it is. */
    private interface Door {
        SpecificationWrites of(Bigtable client);
    }

    /** Writes go through the shell, asynchronous tables and {@code applyAll} by turns. */
    SpecificationRun(Users users, Scheduler scheduler) throws IOException {
        this(
                users,
                scheduler,
                List.of(
                        Optional.empty(),
                        Optional.of(client -> new AsyncWrites(client, scheduler)),
                        Optional.of(SeveralWrites::new)),
                List.of());
    }

    /**
     * @param foreign through which the owner's reads go, beside the shell
     * @param writes through which the owner's writes go, in the place of the shell and the library
     */
    public SpecificationRun(
            Users users, Scheduler scheduler, List<SpecificationReads.Foreign> foreign, SpecificationWrites writes)
            throws IOException {
        this(users, scheduler, List.of(Optional.of(owner -> writes)), foreign);
    }

    private SpecificationRun(
            Users users, Scheduler scheduler, List<Optional<Door>> writes, List<SpecificationReads.Foreign> foreign)
            throws IOException {
        this.users = users;
        this.foreign = List.copyOf(foreign);
        this.writes = writes;
        this.scheduler = scheduler;
        pages = Specification.all();
        assertThat(pages).hasSizeGreaterThan(19);
        bigtable = users.owner();
        bt = CommandLines.over(bigtable);
        upkeep = new Upkeep(bigtable);
    }

    @Override
    public void close() {
        others.values().forEach(Bigtable::close);
        bigtable.close();
    }

    /**
     * On a cluster without tables: pages of these names alone, which have one table, as they are written, and again when it was
     * flushed, compacted, split and moved. Returns how many lines were written through the foreign door.
     */
    public int run(Set<String> topics) throws Exception {
        begin();
        List<Specification> some =
                pages.stream().filter(page -> topics.contains(page.topic())).toList();
        assertThat(some).hasSameSizeAs(topics);
        for (Specification page : some) {
            for (Step step : page.steps()) {
                check(page, step, "as written");
            }
        }
        upkeep.flush(TABLE);
        upkeep.compact(TABLE);
        for (Bytes row : SPLITS) {
            upkeep.split(TABLE, row);
        }
        for (TabletInfo tablet : upkeep.tablets(TABLE)) {
            upkeep.move(TABLE, tablet);
        }
        readAgain(some, "after a compaction, splits and moves");
        return foreignWrites;
    }

    /** On a cluster without tables. */
    void run() throws Exception {
        begin();
        for (Specification page : pages) {
            for (Step step : page.steps()) {
                check(page, step, "as written");
            }
        }

        for (TableSchema table : bigtable.admin().tables()) {
            upkeep.flush(table.name());
        }
        everyDoor = false;
        readAgain("from files");

        compact();
        for (TableSchema table : bigtable.admin().tables()) {
            upkeep.compact(table.name());
        }
        readAgain("after compactions");

        for (Bytes row : SPLITS) {
            upkeep.split(TABLE, row);
        }
        assertThat(upkeep.tablets(TABLE)).hasSize(SPLITS.size() + 1);
        for (TableSchema table : bigtable.admin().tables()) {
            splitBetweenItsRows(table.name());
        }
        readAgain("after splits");

        for (TableSchema table : bigtable.admin().tables()) {
            for (TabletInfo tablet : upkeep.tablets(table.name())) {
                upkeep.move(table.name(), tablet);
            }
        }
        everyDoor = true;
        readAgain("after moves");
    }

    /**
     * On a cluster without tables: every step answers the same, those that write too, though before one of so many something
     * befalls its table. Returns how often what.
     */
    Map<Troubles.Kind, Integer> runWithTroubles(RandomGenerator random, int oneOf) throws Exception {
        begin();
        everyDoor = false;
        Troubles troubles = new Troubles(bigtable, random, oneOf);
        for (Specification page : pages) {
            for (Step step : page.steps()) {
                troubles.before(step);
                check(page, step, "after " + troubles.counts());
            }
        }
        readAgain("at the end");
        return troubles.counts();
    }

    private void begin() throws Exception {
        for (int looks = 0; upkeep.servers().size() < 2; looks++) {
            assertThat(looks).as("%s are two servers", upkeep.servers()).isLessThan(LOOKS);
            scheduler.pause(LOOK_MILLIS);
        }
        create();
    }

    private void create() {
        Result created = bt.run("schema", "apply", SCHEMA, "--yes");
        assertThat(created.code()).as(created.err()).isEqualTo(ExitCode.DONE);
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
            upkeep.flush(TABLE);
        }
        for (int looks = 0;
                majorCompactions() < 2 || files().values().stream().anyMatch(count -> count >= FILES);
                looks++) {
            assertThat(looks).as("%s files, %s", files(), history()).isLessThan(LOOKS);
            scheduler.pause(LOOK_MILLIS);
        }
    }

    /** Behind its first row that no tablet ends with; behind any where it has none. */
    private void splitBetweenItsRows(String table) throws Exception {
        List<TabletInfo> tablets = upkeep.tablets(table);
        Bytes row = Bytes.utf8("n0");
        try (Scanner rows = bigtable.table(table).scan(Scan.all().versions(1))) {
            for (Optional<Row> next = rows.next(); next.isPresent(); next = rows.next()) {
                Bytes end = next.get().key().successor();
                if (tablets.stream().noneMatch(tablet -> tablet.range().start().equals(end))) {
                    row = next.get().key();
                    break;
                }
            }
        }
        upkeep.split(table, row);
        assertThat(upkeep.tablets(table)).as(table).hasSize(tablets.size() + 1);
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

    private void readAgain(String when) throws Exception {
        readAgain(pages, when);
    }

    private void readAgain(List<Specification> some, String when) throws Exception {
        for (Specification page : some) {
            for (Step step : page.steps().stream().filter(Step::isRead).toList()) {
                check(page, step, when);
            }
        }
    }

    private void check(Specification page, Step step, String when) throws Exception {
        Result result = result(step);
        String about = page.topic() + ", " + when + ": " + shortened(String.join(" ", step.words()));
        SpecificationReads doors = new SpecificationReads(
                client(step.user()), scheduler, step.user().isEmpty() ? foreign : List.of());
        boolean isRead = SpecificationReads.isOne(step.words());
        if (step.refusal().isPresent()) {
            assertThat(result.code()).as(about + result.err()).isEqualTo(ExitCode.REJECTED);
            assertThat(result.err()).as(about).contains(step.refusal().get());
            if (isRead) {
                doors.checkRefused(step.words(), about);
            }
        } else if (step.answer().equals(List.of("(nothing)"))) {
            assertThat(result).as(about).isEqualTo(new Result(ExitCode.NOTHING_FOUND, "", ""));
            if (isRead) {
                doors.check(step.words(), List.of(), turn(), about);
            }
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
            if (isRead) {
                doors.check(step.words(), step.answer(), turn(), about);
            }
        }
    }

    /** Through all doors a read goes where nothing has befallen its table, and where all has; else through one, for time. */
    private OptionalInt turn() {
        return everyDoor ? OptionalInt.empty() : OptionalInt.of(turns++);
    }

    private Result result(Step step) throws BigtableException {
        Bigtable client = client(step.user());
        Optional<SpecificationWrites> door = step.user().isEmpty() ? door(client, step.words()) : Optional.empty();
        if (SpecificationCalls.isOne(step.words())) {
            foreignWrites += door.isPresent() && SpecificationCalls.isPlain(step.words()) ? 1 : 0;
            return SpecificationCalls.run(client, door.orElse(new LibraryWrites(client)), step.words());
        }
        if (door.isPresent() && SpecificationLines.isOne(step.words())) {
            Optional<Result> written = SpecificationLines.run(door.get(), step.words());
            if (written.isPresent()) {
                foreignWrites++;
                return written.get();
            }
        }
        List<String> words = new ArrayList<>();
        for (String word : step.words()) {
            Matcher dropped = DROPPED.matcher(word);
            words.add(dropped.matches() ? Long.toString(firstDropped(dropped.group(1))) : word);
        }
        return CommandLines.over(client).run(words.toArray(String[]::new));
    }

    private Optional<SpecificationWrites> door(Bigtable client, List<String> words) {
        if (!SpecificationCalls.isOne(words) && !SpecificationLines.isOne(words)) {
            return Optional.empty();
        }
        Optional<SpecificationWrites> door =
                writes.get(writeTurns++ % writes.size()).map(made -> made.of(client));
        written.merge(door.map(each -> each.getClass().getSimpleName()).orElse("shell"), 1, Integer::sum);
        return door;
    }

    /** How many lines that write were to go through which door. */
    Map<String, Integer> written() {
        return Map.copyOf(written);
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
