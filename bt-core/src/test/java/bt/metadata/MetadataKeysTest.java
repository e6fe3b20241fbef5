package bt.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.model.Limits;
import bt.model.TabletId;
import bt.testing.SeededTest;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class MetadataKeysTest {
    @Test
    void theKeyOfATabletIsItsTableAndItsEndRow() {
        assertThat(MetadataKeys.of(new TabletId(4, Optional.of(Bytes.utf8("m")))))
                .isEqualTo(Bytes.hex("0000000000000004" + "00" + "6d"));
        assertThat(MetadataKeys.of(new TabletId(4, Optional.empty()))).isEqualTo(Bytes.hex("0000000000000004" + "ff"));
    }

    /** A tablet may end with any row there can be, and so may one of METADATA. */
    @Test
    void theLongestKeyIsARowOfMetadata() {
        Bytes longest = MetadataKeys.of(new TabletId(4, Optional.of(Bytes.wrap(new byte[Limits.ROW_BYTES]))));
        assertThat(MetadataKeys.of(new TabletId(0, Optional.of(longest))).length())
                .isEqualTo(MetadataSchema.SCHEMA.maxRowBytes());
    }

    @Test
    void theRootTabletEndsWithTheRowOfMetadatasLastTablet() {
        assertThat(MetadataSchema.ROOT.endRow()).contains(Bytes.hex("0000000000000000ff"));
        assertThat(MetadataKeys.of(MetadataSchema.LAST))
                .isEqualTo(MetadataSchema.ROOT.endRow().orElseThrow());
    }

    @Test
    void theRowsOfMetadatasTabletsAreInTheRootTabletAndNoOthers() {
        var root = MetadataSchema.ROOT.range(Optional.empty());
        assertThat(root.contains(MetadataKeys.of(MetadataSchema.LAST))).isTrue();
        assertThat(root.contains(MetadataKeys.lookUp(0, Bytes.hex("ffffffffff"))))
                .isTrue();
        assertThat(root.contains(MetadataKeys.lookUp(1, Bytes.EMPTY))).isFalse();
    }

    @SeededTest
    void keysAreOrderedAsTheirTablets(RandomGenerator random) {
        TabletId a = MetadataRows.id(random);
        TabletId b = MetadataRows.id(random);
        assertThat(Integer.signum(MetadataKeys.of(a).compareTo(MetadataKeys.of(b))))
                .isEqualTo(Integer.signum(a.compareTo(b)));
    }

    @SeededTest
    void theFirstKeyAtOrAboveALookUpIsTheTabletThatHoldsTheRow(RandomGenerator random) {
        TreeMap<Bytes, TabletId> metadata = new TreeMap<>();
        for (int i = 0; i < 20; i++) {
            TabletId id = MetadataRows.id(random);
            metadata.put(MetadataKeys.of(id), id);
            TabletId last = new TabletId(id.tableId(), Optional.empty());
            metadata.put(MetadataKeys.of(last), last);
        }
        TabletId any = metadata.firstEntry().getValue();
        Bytes row = MetadataRows.row(random);

        TabletId found =
                metadata.ceilingEntry(MetadataKeys.lookUp(any.tableId(), row)).getValue();

        TabletId holder = metadata.values().stream()
                .filter(id -> id.tableId() == any.tableId())
                .filter(id -> id.endRow().isEmpty() || id.endRow().get().compareTo(row) >= 0)
                .findFirst()
                .orElseThrow();
        assertThat(found).isEqualTo(holder);
    }

    @SeededTest
    void aKeyDecodesToItsTablet(RandomGenerator random) throws Exception {
        TabletId id = MetadataRows.id(random);
        assertThat(MetadataKeys.decode(MetadataKeys.of(id))).isEqualTo(id);
    }

    @Test
    void whatIsNoKeyIsCorruption() {
        for (String wrong :
                new String[] {"", "00000000000000", "0000000000000004", "000000000000000401", "0000000000000004ff00"}) {
            assertThatThrownBy(() -> MetadataKeys.decode(Bytes.hex(wrong))).isInstanceOf(CorruptionException.class);
        }
    }
}
