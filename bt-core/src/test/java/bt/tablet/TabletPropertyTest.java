package bt.tablet;

import bt.base.Bytes;
import bt.model.RowMutation;
import bt.model.RowSet;
import bt.model.RowWalk;
import bt.script.ScriptBudget;
import bt.sstable.ReadWork;
import bt.testing.SeededTest;
import java.util.List;
import java.util.random.RandomGenerator;

/** A tablet answers what the model answers, whatever happens to its memtables and files, and however a read is cut. */
class TabletPropertyTest {
    @SeededTest(runs = 150)
    void answersWhatTheModelAnswers(RandomGenerator random) throws Exception {
        answersWhatTheModelAnswers(random, TabletConfig.DEFAULT);
    }

    /** Its pages end wherever they are tired: between any two changes of a row, seen or not. */
    @SeededTest(runs = 150)
    void answersWhatTheModelAnswersInTheSmallestPages(RandomGenerator random) throws Exception {
        answersWhatTheModelAnswers(
                random, new TabletConfig(64L << 20, 1 + random.nextInt(400), 2, ScriptBudget.DEFAULT));
    }

    /** Its pages are overdue from the beginning, or soon: they end wherever they have looked at something. */
    @SeededTest(runs = 150)
    void answersWhatTheModelAnswersInPagesThatAreOverdue(RandomGenerator random) throws Exception {
        try {
            answersWhatTheModelAnswers(random, TabletConfig.DEFAULT, () -> beInAHurry(random));
        } finally {
            ReadWork.ofThread().end();
        }
    }

    private static void beInAHurry(RandomGenerator random) {
        ReadWork.Terms terms = new ReadWork.Terms() {
            private long nanos;

            @Override
            public long more() {
                return random.nextInt(3);
            }

            @Override
            public long nanos() {
                return nanos++;
            }
        };
        ReadWork work = ReadWork.ofThread();
        work.begin(terms, random.nextInt(3));
        work.endAfter(random.nextInt(4));
    }

    private static void answersWhatTheModelAnswers(RandomGenerator random, TabletConfig config) throws Exception {
        answersWhatTheModelAnswers(random, config, () -> {});
    }

    private static void answersWhatTheModelAnswers(RandomGenerator random, TabletConfig config, Runnable beforeEachPage)
            throws Exception {
        RandomTable table = new RandomTable(random);
        TabletFixture fixture = new TabletFixture(RandomTable.schema(4), config, List.of());
        for (int step = 0; step < 60; step++) {
            step(random, table, fixture);
            if (random.nextInt(15) == 0) {
                fixture.regroup(random);
            }
            fixture.isPressed = random.nextInt(3) == 0;
            Bytes row = table.row();
            if (random.nextInt(25) == 0 && fixture.tablet.canSplitAt(row)) {
                fixture.split(row, random.nextBoolean());
                if (random.nextBoolean()) {
                    fixture.reopen();
                }
            }
            RowWalk walk = table.walk().within(fixture.tablet.range());
            if (step % 3 == 0 && !walk.isEmpty()) {
                CheckedRead read = new CheckedRead(fixture, walk, table.filter(), table.limits());
                beforeEachPage.run();
                read.toTheEnd(() -> {
                    if (random.nextInt(3) == 0) {
                        step(random, table, fixture);
                    }
                    beforeEachPage.run();
                });
            }
        }
    }

    /** A page may end between any two versions of a column in which every change matters to the others. */
    @SeededTest(runs = 200)
    void aColumnGoesOnExactlyWhereAPageEndedInIt(RandomGenerator random) throws Exception {
        RandomTable table = RandomTable.ofOneColumn(random);
        TabletFixture fixture = new TabletFixture(
                table.schemaOfOneColumn(), new TabletConfig(64L << 20, 1, 2, ScriptBudget.DEFAULT), List.of());
        for (int step = 0; step < 60; step++) {
            step(random, table, fixture);
            RowWalk walk = new RowWalk(RowSet.ALL, random.nextBoolean());
            new CheckedRead(fixture, walk, table.filter(), table.limits()).toTheEnd(() -> {
                if (random.nextInt(4) == 0) {
                    step(random, table, fixture);
                }
            });
        }
    }

    /** Files of few timestamps each, of which a read of some times leaves out what it can. */
    @SeededTest(runs = 300)
    void timesLeaveOutNoFileThatMatters(RandomGenerator random) throws Exception {
        RandomTable table = RandomTable.ofOneColumn(random);
        TabletFixture fixture =
                new TabletFixture(random.nextInt(3) == 0 ? table.schemaThatKeepsAll() : table.schemaOfOneColumn());
        for (int step = 0; step < 60; step++) {
            fixture.apply(table.mutation());
            if (random.nextInt(2) == 0) {
                fixture.flush();
            }
            if (random.nextInt(8) == 0) {
                fixture.compactFiles(random);
            }
            RowWalk walk = new RowWalk(RowSet.ALL, random.nextBoolean());
            new CheckedRead(fixture, walk, table.filterOfTimes(), table.limits()).toTheEnd(() -> {});
        }
    }

    /** Compactions of every kind, of a column in which every change matters to the others. */
    @SeededTest(runs = 500)
    void compactionsChangeNoAnswer(RandomGenerator random) throws Exception {
        RandomTable table = RandomTable.ofOneColumn(random);
        TabletFixture fixture = new TabletFixture(table.schemaOfOneColumn());
        for (int step = 0; step < 120; step++) {
            switch (random.nextInt(12)) {
                case 0, 1 -> fixture.flush();
                case 2 -> {
                    fixture.freeze();
                    fixture.compactWithFiles(random);
                }
                case 3, 4 -> fixture.compactFiles(random);
                case 5 -> fixture.clock.set(RandomTable.EPOCH + random.nextInt(60));
                default -> fixture.apply(table.mutation());
            }
            CheckedRead.all(fixture);
        }
        fixture.flush();
        fixture.compactAll();
        CheckedRead.all(fixture);
    }

    private static void step(RandomGenerator random, RandomTable table, TabletFixture fixture) throws Exception {
        switch (random.nextInt(12)) {
            case 0 -> fixture.freeze();
            case 1 -> {
                if (random.nextBoolean()) {
                    fixture.compact();
                } else {
                    fixture.compactWithFiles(random);
                }
            }
            case 2 -> {
                if (random.nextInt(3) == 0) {
                    fixture.crash(random);
                }
            }
            case 3 -> fixture.flush();
            case 4 -> fixture.compactFiles(random);
            case 5 -> fixture.clock.set(RandomTable.EPOCH + random.nextInt(60));
            default -> {
                RowMutation mutation = table.mutation();
                if (fixture.tablet.range().contains(mutation.row())) {
                    fixture.apply(mutation);
                }
            }
        }
    }
}
