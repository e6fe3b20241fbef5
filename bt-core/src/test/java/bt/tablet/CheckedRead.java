package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Cell;
import bt.model.Filter;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.RowWalk;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A read, page for page, each compared with the model as it was when the page, or its row, was begun. */
final class CheckedRead {
    private final TabletFixture fixture;
    private final RowWalk walk;
    private final Filter filter;
    private final PageLimits limits;

    /** Cells of a row that was too large for a page, so far. */
    private final List<Cell> unfinished = new ArrayList<>();

    CheckedRead(TabletFixture fixture, RowWalk walk, Filter filter, PageLimits limits) {
        this.fixture = fixture;
        this.walk = walk;
        this.filter = filter;
        this.limits = limits;
    }

    /** Everything that the tablet has, as it is now. */
    static void all(TabletFixture fixture) throws Exception {
        new CheckedRead(fixture, RowWalk.over(fixture.tablet.range()), Filter.ALL, PageLimits.DEFAULT)
                .toTheEnd(() -> {});
    }

    /** Between two pages. */
    interface Meanwhile {
        void happens() throws Exception;
    }

    void toTheEnd(Meanwhile meanwhile) throws Exception {
        RowWalk rest = walk;
        Optional<Resume> resume = Optional.empty();
        while (true) {
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
            rest = rest.from(page.next().get());
            resume = page.resume();
            if (rest.isEmpty()) {
                // Downwards a page may end before the first row that there can be.
                assertThat(resume).isEmpty();
                return;
            }
            meanwhile.happens();
        }
    }

    private static long bytesOf(Page page) {
        return page.cells().stream().mapToLong(cell -> cell.value().length()).sum();
    }

    private void check(RowWalk rest, Optional<Resume> resume, Page page, long now) {
        unfinished.addAll(page.cells());
        if (page.resume().isPresent()) {
            Bytes row = rest.from(page.next().orElseThrow()).next();
            assertThat(page.cells()).allMatch(cell -> cell.row().equals(row));
            return;
        }
        RowSet done = page.next().isPresent() ? before(rest, page.next().get()) : rest.rows();
        long sequence = resume.map(Resume::sequence).orElse(fixture.sequence());
        long micros = resume.map(Resume::nowMicros).orElse(now);
        List<Cell> expected = fixture.model.read(RowRange.ALL, filter, sequence, micros).stream()
                .filter(cell -> done.contains(cell.row()))
                .collect(Collectors.toList());
        if (rest.reversed()) {
            // A stable sort: the cells of each row stay in their order.
            expected.sort(Comparator.comparing(Cell::row).reversed());
        }
        assertThat(unfinished)
                .as("%s of %s with %s and %s", done, rest, filter, limits)
                .isEqualTo(expected);
        unfinished.clear();
    }

    private static RowSet before(RowWalk walk, Bytes next) {
        RowRange passed = walk.reversed() ? RowRange.from(next) : RowRange.before(next);
        return walk.rows().intersect(passed);
    }
}
