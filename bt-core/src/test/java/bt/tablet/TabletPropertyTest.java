package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.model.Cell;
import bt.model.Filter;
import bt.model.RowRange;
import bt.testing.SeededTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/** A tablet answers what the model answers, whatever happens to its memtables and files, and however a read is cut. */
class TabletPropertyTest {
    @SeededTest(runs = 150)
    void answersWhatTheModelAnswers(RandomGenerator random) throws BigtableException {
        RandomTable table = new RandomTable(random);
        TabletFixture fixture = new TabletFixture(RandomTable.schema(4));
        for (int step = 0; step < 60; step++) {
            step(random, table, fixture);
            if (step % 3 == 0) {
                Read read = new Read(fixture, table.range(), table.filter(), table.limits());
                read.toTheEnd(() -> {
                    if (random.nextInt(3) == 0) {
                        step(random, table, fixture);
                    }
                });
            }
        }
    }

    private static void step(RandomGenerator random, RandomTable table, TabletFixture fixture)
            throws BigtableException {
        switch (random.nextInt(10)) {
            case 0 -> fixture.freeze();
            case 1 -> fixture.compact();
            case 2 -> {
                if (random.nextInt(3) == 0) {
                    fixture.reopen();
                }
            }
            case 3 -> fixture.clock.set(RandomTable.EPOCH + random.nextInt(60));
            default -> fixture.apply(table.mutation());
        }
    }

    /** Between two pages. */
    private interface Meanwhile {
        void happens() throws BigtableException;
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

        void toTheEnd(Meanwhile meanwhile) throws BigtableException {
            Bytes from = range.start();
            Optional<Resume> resume = Optional.empty();
            while (true) {
                RowRange rest = new RowRange(from, range.end());
                long now = fixture.clock.micros();
                Page page = fixture.tablet.read(new ReadSpec(rest, filter, limits, resume));
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
