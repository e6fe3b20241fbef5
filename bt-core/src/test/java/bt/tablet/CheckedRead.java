package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Cell;
import bt.model.Filter;
import bt.model.RowRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A read, page for page, each compared with the model as it was when the page, or its row, was begun. */
final class CheckedRead {
    private final TabletFixture fixture;
    private final RowRange range;
    private final Filter filter;
    private final PageLimits limits;

    /** Cells of a row that was too large for a page, so far. */
    private final List<Cell> unfinished = new ArrayList<>();

    CheckedRead(TabletFixture fixture, RowRange range, Filter filter, PageLimits limits) {
        this.fixture = fixture;
        this.range = range;
        this.filter = filter;
        this.limits = limits;
    }

    /** Everything that the tablet has, as it is now. */
    static void all(TabletFixture fixture) throws Exception {
        new CheckedRead(fixture, fixture.tablet.range(), Filter.ALL, PageLimits.DEFAULT).toTheEnd(() -> {});
    }

    /** Between two pages. */
    interface Meanwhile {
        void happens() throws Exception;
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
        return page.cells().stream().mapToLong(cell -> cell.value().length()).sum();
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
                        done, filter, sequence, resume.map(Resume::nowMicros).orElse(now)));
        unfinished.clear();
    }
}
