package bt.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.model.RowRange;
import bt.model.RowSet;
import bt.model.RowWalk;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class KeyPartsTest {
    @Test
    void fewKeysAreOnePartAndNoneAreNoPart() {
        RowSet few = keys(3, "");
        assertThat(KeyParts.of(few)).containsExactly(new RowWalk(few, false));
        assertThat(KeyParts.of(RowSet.NONE)).isEmpty();
    }

    @Test
    void manyKeysAreTakenInOrderEachOnceAThousandAtATime() {
        RowSet many = keys(2_500, "");
        List<RowWalk> parts = KeyParts.of(many);
        assertThat(parts).extracting(part -> part.ranges().size()).containsExactly(1_000, 1_000, 500);
        assertThat(rangesOf(parts)).containsExactlyElementsOf(many.ranges());
    }

    @Test
    void largeKeysAreTakenAsManyAsARequestHasRoomFor() {
        RowSet large = keys(20, "x".repeat(60_000));
        List<RowWalk> parts = KeyParts.of(large);
        assertThat(parts)
                .as("of 120 KB each, with both ends")
                .extracting(part -> part.ranges().size())
                .containsExactly(3, 3, 3, 3, 3, 3, 2);
        assertThat(rangesOf(parts)).containsExactlyElementsOf(large.ranges());
    }

    private static Stream<RowRange> rangesOf(List<RowWalk> parts) {
        return parts.stream().flatMap(part -> part.ranges().stream());
    }

    private static RowSet keys(int count, String behind) {
        return RowSet.rows(IntStream.range(0, count)
                .mapToObj(i -> Bytes.utf8("%05d".formatted(i) + behind))
                .toList());
    }
}
