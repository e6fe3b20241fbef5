package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.FencedException;
import bt.base.RejectedException;
import bt.model.Cell;
import bt.model.Filter;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.testing.SeededTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** A tablet answers what the model answers, whatever happens to its memtables and files, and however a read is cut. */
class TabletPropertyTest {
    @SeededTest(runs = 150)
    void answersWhatTheModelAnswers(RandomGenerator random) throws Exception {
        RandomTable table = new RandomTable(random);
        TabletFixture fixture = new TabletFixture(RandomTable.schema(4));
        for (int step = 0; step < 60; step++) {
            step(random, table, fixture);
            if (random.nextInt(15) == 0) {
                fixture.regroup(random);
            }
            Bytes row = table.row();
            if (random.nextInt(25) == 0 && fixture.tablet.range().contains(row)) {
                fixture.split(row, random.nextBoolean());
            }
            RowRange range = table.range().intersect(fixture.tablet.range());
            if (step % 3 == 0 && fixture.tablet.range().contains(range.start())) {
                Read read = new Read(fixture, range, table.filter(), table.limits());
                read.toTheEnd(() -> {
                    if (random.nextInt(3) == 0) {
                        step(random, table, fixture);
                    }
                });
            }
        }
    }

    /** Compactions of every kind, of a column in which every change matters to the others. */
    @SeededTest(runs = 500)
    void compactionsChangeNoAnswer(RandomGenerator random) throws Exception {
        RandomTable table = RandomTable.ofOneColumn(random);
        TabletFixture fixture = new TabletFixture(table.schemaOfOneColumn());
        for (int step = 0; step < 120; step++) {
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> fixture.flush();
                case 3, 4 -> fixture.compactFiles(random);
                case 5 -> fixture.clock.set(RandomTable.EPOCH + random.nextInt(60));
                default -> fixture.apply(table.mutation());
            }
            readAll(fixture);
        }
        fixture.flush();
        fixture.compactAll();
        readAll(fixture);
    }

    /** Of the files and METADATA's state a crash leaves either the old ones or the new. */
    @SeededTest(runs = 5)
    void aCrashAtAnyStepOfACompactionLeavesTheOldFilesOrTheNew(RandomGenerator random) throws Exception {
        RandomTable table = new RandomTable(random);
        TabletFixture fixture = new TabletFixture(RandomTable.schema(4));
        for (int i = 0; i < 6; i++) {
            fixture.apply(table.mutation());
            fixture.flush();
        }
        boolean crashed = true;
        for (int operation = 0; crashed; operation++) {
            fixture.crashAfter(operation);
            try {
                fixture.compactAll();
            } catch (FencedException crash) {
                assertThat(fixture.state.getFiles()).isNotEmpty();
            }
            crashed = fixture.hasCrashed();
            fixture.restart();
            readAll(fixture);
        }
        assertThat(fixture.tablet.files()).hasSizeLessThanOrEqualTo(3);
    }

    private static void readAll(TabletFixture fixture) throws Exception {
        new Read(fixture, fixture.tablet.range(), Filter.ALL, PageLimits.DEFAULT).toTheEnd(() -> {});
    }

    private static void step(RandomGenerator random, RandomTable table, TabletFixture fixture) throws Exception {
        switch (random.nextInt(12)) {
            case 0 -> fixture.freeze();
            case 1 -> fixture.compact();
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

    /** Between two pages. */
    private interface Meanwhile {
        void happens() throws Exception;
    }

    /** A read, page for page, each compared with the model as it was when the page, or its row, was begun. */
    private static final class Read {
        private final TabletFixture fixture;
        private final RowRange range;
        private final Filter filter;
        private final PageLimits limits;

        /** Cells of a row that was too large for a page, so far. */
        private final List<Cell> unfinished = new ArrayList<>();

        Read(TabletFixture fixture, RowRange range, Filter filter, PageLimits limits) {
            this.fixture = fixture;
            this.range = range;
            this.filter = filter;
            this.limits = limits;
        }

        void toTheEnd(Meanwhile meanwhile) throws Exception {
            Bytes from = range.start();
            Optional<Resume> resume = Optional.empty();
            while (true) {
                RowRange rest = new RowRange(from, range.end());
                long now = fixture.clock.micros();
                Page page;
                try {
                    page = fixture.tablet.read(new ReadSpec(rest, filter, limits, resume));
                } catch (RejectedException compacted) {
                    // What the row was when it was begun is gone: it is read again.
                    assertThat(resume.orElseThrow().sequence()).isLessThan(fixture.state.getOldestReadableSequence());
                    unfinished.clear();
                    resume = Optional.empty();
                    continue;
                }
                assertThat(bytesOf(page)).isLessThan(2L * limits.bytes() + 4000);
                check(rest, resume, page, now);
                if (page.next().isEmpty()) {
                    return;
                }
                from = page.next().get();
                resume = page.resume();
                meanwhile.happens();
            }
        }

        private static long bytesOf(Page page) {
            return page.cells().stream()
                    .mapToLong(cell -> cell.value().length())
                    .sum();
        }

        private void check(RowRange rest, Optional<Resume> resume, Page page, long now) {
            unfinished.addAll(page.cells());
            if (page.resume().isPresent()) {
                assertThat(page.cells())
                        .allMatch(cell -> cell.row().equals(page.next().orElseThrow()));
                return;
            }
            RowRange done = new RowRange(rest.start(), page.next().isPresent() ? page.next() : rest.end());
            long sequence = resume.map(Resume::sequence).orElse(fixture.sequence());
            assertThat(unfinished)
                    .as("%s with %s and %s", done, filter, limits)
                    .isEqualTo(fixture.model.read(
                            done,
                            filter,
                            sequence,
                            resume.map(Resume::nowMicros).orElse(now)));
            unfinished.clear();
        }
    }
}
