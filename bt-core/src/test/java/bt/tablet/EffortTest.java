package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.ColumnKey;
import bt.model.FilterText;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.RowWalk;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EffortTest {
    private static final Bytes ROW = Bytes.utf8("wide");
    private static final String ABSENT = "value=absent";
    private static final int MEGABYTE = 1 << 20;

    private final TabletFixture fixture;

    EffortTest() throws BigtableException {
        fixture = TabletFixture.ofOneFamily();
    }

    /** Values of zeros, which take no room in files. */
    @Test
    void allPagesTogetherLookAtSoManyBytesAndNoMore() throws BigtableException {
        write(0, 250);
        assertThat(pages(ABSENT, Optional.of(fixture.tablet.effort()))).isGreaterThan(3);
        Effort two = fixture.tablet.effort();
        int unused = pages(ABSENT, Optional.of(two));
        assertRejected(two);

        write(250, 260);
        assertRejected(fixture.tablet.effort());
        assertThat(pages("qualifier=q007 & value=absent", Optional.of(fixture.tablet.effort())))
                .isEqualTo(1);
        // Each page of a read is by itself.
        assertThat(pages(ABSENT, Optional.empty())).isGreaterThan(3);

        fixture.apply(RowMutation.of(ROW).deleteRow().build());
        // What is not there any more has to be passed all the same.
        assertRejected(fixture.tablet.effort());
    }

    @Test
    void noPageIsBegunOnceThoseBeforeHaveTakenFiveSecondsOfTheProcessor() {
        Processor processor = new Processor();
        processor.nanos = 1_000;
        Effort effort = new Effort(processor);
        ReadSpec spec = spec(ABSENT, Optional.empty());
        processor.nanos += 4_999_000_000L;
        assertThatCode(() -> effort.add(1, false, spec, fixture.tablet)).doesNotThrowAnyException();
        processor.nanos += 2_000_000L;
        assertThatCode(() -> effort.add(1, true, spec, fixture.tablet)).doesNotThrowAnyException();
        assertThatThrownBy(() -> effort.add(1, false, spec, fixture.tablet))
                .isInstanceOf(RejectedException.class)
                .hasMessageStartingWith("table web row wide: to decide upon a write takes more than 5000 ms");
    }

    private void assertRejected(Effort effort) {
        assertThatThrownBy(() -> pages(ABSENT, Optional.of(effort)))
                .isInstanceOf(RejectedException.class)
                .hasMessageStartingWith("table web row wide: to decide upon a write takes more than 268435456 bytes")
                .hasMessageContaining("of its row: name families or columns");
    }

    /** Of the row, all that there are. */
    private int pages(String filter, Optional<Effort> effort) throws BigtableException {
        int pages = 0;
        Optional<Resume> resume = Optional.empty();
        do {
            ReadSpec spec = spec(filter, resume);
            Page page = effort.isPresent() ? fixture.tablet.read(spec, effort.get()) : fixture.tablet.read(spec);
            pages++;
            resume = page.resume();
        } while (resume.isPresent());
        return pages;
    }

    private static ReadSpec spec(String filter, Optional<Resume> resume) {
        return new ReadSpec(
                RowWalk.over(RowRange.row(ROW)), FilterText.parse(filter), PageLimits.DEFAULT, resume, Shown.ALL);
    }

    /** Cells of a megabyte each. */
    private void write(int from, int to) throws BigtableException {
        for (int cell = from; cell < to; cell++) {
            fixture.apply(RowMutation.of(ROW)
                    .set(new ColumnKey("f", Bytes.utf8("q%03d".formatted(cell))), 1, Bytes.wrap(new byte[MEGABYTE]))
                    .build());
            if (cell % 32 == 31) {
                fixture.flush();
            }
        }
        fixture.flush();
    }
}
