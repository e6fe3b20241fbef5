package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.UnavailableException;
import bt.model.Bloom;
import bt.model.FamilySchema;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.model.TableSchema.Durability;
import bt.record.FileReference;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Where a tablet is split, and what its halves share. */
class TabletSplitTest {
    private static final TableSchema SCHEMA = new TableSchema(
            4,
            "t",
            1,
            2,
            Durability.SYNC,
            List.of(new FamilySchema(1, "f", "default", GcRule.KEEP_ALL)),
            List.of(new LocalityGroup("default", 1 << 10, "none", false, Bloom.ROW)));

    private final TabletFixture fixture = fixture(Optional.empty());

    @Test
    void theMiddleRowLeavesHalfOfTheBytesOnEachSide() throws BigtableException {
        put(0, 100, 100);
        put(100, 110, 1_000);
        fixture.flush();
        // The last ten rows weigh nearly as much as the hundred before them.
        assertThat(middle()).isBetween("r082", "r098");
    }

    @Test
    void theMiddleRowIsThatOfAllFilesTogether() throws BigtableException {
        put(0, 100, 100);
        fixture.flush();
        put(100, 200, 100);
        fixture.flush();
        put(200, 300, 100);
        fixture.flush();
        assertThat(middle()).isBetween("r140", "r160");
    }

    @Test
    void oneGiantRowHasNoMiddle() throws BigtableException {
        for (int i = 0; i < 100; i++) {
            fixture.apply(
                    RowMutation.of("giant").set("f", "q" + i, "v".repeat(900)).build());
        }
        fixture.flush();
        assertThat(fixture.tablet.middleRow(0)).isEmpty();
        put(900, 903, 500);
        fixture.flush();
        assertThat(fixture.tablet.middleRow(0)).contains(Bytes.utf8("giant"));
        assertThat(fixture.tablet.middleRow(0.1)).isEmpty();
    }

    /** An index may end with a key above all of the row's. */
    @Test
    void oneGiantRowOfALongKeyHasNoMiddle() throws BigtableException {
        String giant = "giant".repeat(200);
        for (int i = 0; i < 100; i++) {
            fixture.apply(
                    RowMutation.of(giant).set("f", "q" + i, "v".repeat(900)).build());
        }
        fixture.flush();
        assertThat(fixture.tablet.middleRow(0)).isEmpty();
        put(900, 903, 500);
        fixture.flush();
        assertThat(fixture.tablet.middleRow(0)).contains(Bytes.utf8(giant));
    }

    @Test
    void aLongRowThatIsAloneInItsFileIsOneToSplitBehind() throws BigtableException {
        Bytes alone = Bytes.utf8("alone".repeat(200));
        fixture.apply(RowMutation.of(alone).set("f", "q", "v".repeat(900)).build());
        fixture.flush();
        put(900, 902, 300);
        fixture.flush();
        assertThat(fixture.tablet.middleRow(0)).contains(alone);
        fixture.split(alone, true);
        assertThat(fixture.tablet.middleRow(0)).isEmpty();
    }

    @Test
    void rowsThatBeginAlikeHaveTheirMiddle() throws BigtableException {
        String beginning = "r".repeat(1_000);
        for (int i = 0; i < 100; i++) {
            fixture.apply(RowMutation.of(beginning + "%03d".formatted(i))
                    .set("f", "q", "v".repeat(100))
                    .build());
        }
        fixture.flush();
        assertThat(middle()).isBetween(beginning + "045", beginning + "055");
        fixture.split(Bytes.utf8(beginning + "049"), false);
        assertThat(middle()).isBetween(beginning + "070", beginning + "080");
    }

    @Test
    void nothingHasNoMiddle() throws BigtableException {
        assertThat(fixture.tablet.middleRow(0)).isEmpty();
    }

    @Test
    void aTabletIsNotSplitAtItsOwnEndNorOutside() {
        Tablet tablet = fixture(Optional.of(Bytes.utf8("m"))).tablet;
        assertThat(tablet.canSplitAt(Bytes.utf8("l"))).isTrue();
        assertThat(tablet.canSplitAt(Bytes.utf8("m"))).isFalse();
        assertThat(tablet.canSplitAt(Bytes.utf8("n"))).isFalse();
        assertThat(tablet.canSplitAt(Bytes.EMPTY)).isFalse();
    }

    @Test
    void theMiddleOfAHalfIsFoundInWhatItShowsOfItsFiles() throws BigtableException {
        put(0, 200, 100);
        fixture.flush();
        fixture.split(Bytes.utf8("r099"), false);
        assertThat(middle()).isBetween("r140", "r160");
    }

    @Test
    void halvesShareTheBytesOfAFileAndAFileOfOneHalfIsItsAlone() throws BigtableException {
        put(0, 200, 100);
        fixture.flush();
        put(0, 10, 100);
        fixture.flush();
        long bytes = fixture.tablet.sizes().fileBytes();
        Tablet.Halves halves = fixture.tablet.split(Bytes.utf8("r099"));
        assertThat(halves.lower().files()).hasSize(2);
        FileReference upper = halves.upper().files().get(0);
        assertThat(halves.upper().files()).hasSize(1);
        assertThat(upper.getBytes()).isBetween(bytes * 4 / 10, bytes * 5 / 10);
        assertThat(halves.lower().sizes().fileBytes() + upper.getBytes()).isEqualTo(bytes);
    }

    @Test
    void halvesAnswerWhenTheWholeIsClosedAndTheFileIsOpenForTheLastOfThem() throws BigtableException {
        put(0, 200, 100);
        fixture.flush();
        Tablet.Halves halves = fixture.tablet.split(Bytes.utf8("r099"));
        fixture.tablet.close();
        halves.lower().close();
        assertThat(cells(halves.upper(), "r100")).isEqualTo(1);
        assertThatThrownBy(() -> cells(halves.upper(), "r099")).isInstanceOf(UnavailableException.class);
        assertThatThrownBy(() -> cells(halves.lower(), "r099")).isInstanceOf(UnavailableException.class);
    }

    @Test
    void whatIsInMemoryAloneIsNotSplit() throws BigtableException {
        put(0, 2, 100);
        assertThatThrownBy(() -> fixture.tablet.split(Bytes.utf8("r000"))).isInstanceOf(UnavailableException.class);
    }

    private String middle() throws BigtableException {
        return fixture.tablet.middleRow(0).orElseThrow().toUtf8();
    }

    private static int cells(Tablet tablet, String row) throws BigtableException {
        return tablet.read(ReadSpec.of(RowRange.row(Bytes.utf8(row)), Filter.ALL))
                .cells()
                .size();
    }

    private void put(int from, int to, int valueBytes) throws BigtableException {
        for (int i = from; i < to; i++) {
            fixture.apply(RowMutation.of("r%03d".formatted(i))
                    .set("f", "q", "v".repeat(valueBytes))
                    .build());
        }
    }

    private static TabletFixture fixture(Optional<Bytes> endRow) {
        try {
            return new TabletFixture(SCHEMA, Optional.empty(), endRow);
        } catch (BigtableException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
