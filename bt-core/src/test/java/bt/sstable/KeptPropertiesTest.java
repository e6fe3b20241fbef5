package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.record.FamilyAges;
import bt.record.FamilyCount;
import bt.record.SSTableProperties;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What a tablet keeps of each of its files for as long as it is served, and a server counts. */
class KeptPropertiesTest {
    private static final int KEPT_BYTES = 60_000_000;

    /** Of what is there of each file, however short its keys. */
    private static final long BASE_BYTES = 1_000;

    @Test
    void whatTheySayThatTheyTakeIsWhatTheyTakeOrMore() throws Exception {
        check(told(1, 1, 10), 500);
        check(told(8, 40, 10), 4_000);
        check(told(9, 1, 10), 500);
        check(told(500, 1, 10), 15_000);
        check(told(500, 40, 10), 30_000);
        check(told(1, 1, 13_000), 1_200);
    }

    private static void check(SSTableProperties told, int aboutBytes) throws CorruptionException {
        Bytes encoded = AvroBytes.encode(told);
        KeptProperties[] kept = new KeptProperties[KEPT_BYTES / aboutBytes];
        fill(kept, encoded);
        long full = usedBytes();
        long bytes = kept[0].bytes();
        int count = kept.length;
        Arrays.fill(kept, null);
        long each = (full - usedBytes()) / count;
        assertThat(BASE_BYTES + bytes)
                .as(
                        "of %d families, where %d bytes are taken",
                        told.getFamilies().size(), each)
                .isBetween(each, 3 * each + BASE_BYTES);
    }

    private static void fill(KeptProperties[] kept, Bytes encoded) throws CorruptionException {
        for (int i = 0; i < kept.length; i++) {
            kept[i] = KeptProperties.of(AvroBytes.decode("test", encoded, SSTableProperties.class));
        }
    }

    @Test
    void whatIsToldOfFamiliesIsTheSameHoweverManyThereAre() throws Exception {
        for (int families : new int[] {1, 8, 9, 500}) {
            SSTableProperties told = told(families, 40, 10);
            KeptProperties kept =
                    KeptProperties.of(AvroBytes.decode("test", AvroBytes.encode(told), SSTableProperties.class));
            assertThat(kept.ofFamilies().getFamilies()).isEqualTo(told.getFamilies());
            assertThat(kept.ofFamilies().getAges()).isEqualTo(told.getAges());
            assertThat(kept.properties().getFamilyIds()).isEqualTo(told.getFamilyIds());
            assertThat(kept.keys().largest()).isEqualTo(AvroBytes.bytes(told.getLargestKey()));
            assertThat(kept.properties().getEntries()).isEqualTo(told.getEntries());
        }
    }

    @Test
    void ofLongKeysNoMoreIsKeptThanOfOthers() throws Exception {
        SSTableProperties told = told(1, 1, 131_000);
        KeptProperties kept = KeptProperties.of(told);
        assertThat(kept.bytes()).isLessThan(1_000);
        assertThat(AvroBytes.encode(kept.properties()).length()).isLessThan(1_000);
    }

    @Test
    void ofALongRuleItsMarkIsKeptAsNewFilesTellIt() {
        for (int families : new int[] {1, 9}) {
            SSTableProperties told = told(families, 1, 10);
            String rule = "any(" + "age 1, ".repeat(300) + "age 2)";
            told.getAges().forEach(ages -> ages.setRule(rule));
            KeptProperties kept = KeptProperties.of(told);
            assertThat(kept.ofFamilies().getAges())
                    .hasSize(families)
                    .extracting(FamilyAges::getRule)
                    .containsOnly(RuleMark.of(rule));
            assertThat(kept.bytes()).isLessThan(400L * families);
        }
    }

    private static SSTableProperties told(int families, int classes, int keyBytes) {
        ByteBuffer key = ByteBuffer.wrap(new byte[keyBytes]);
        return SSTableProperties.newBuilder()
                .setFeatures(List.of())
                .setSmallestKey(key)
                .setLargestKey(key)
                .setEntries(7)
                .setKeyBytes(1)
                .setValueBytes(1)
                .setCodec("none")
                .setBlockBytes(1)
                .setFamilies(IntStream.rangeClosed(1, families)
                        .mapToObj(i -> new FamilyCount(i, 1L, 40L))
                        .toList())
                .setFamilyIds(IntStream.rangeClosed(1, families).boxed().toList())
                .setCreator("test")
                .setAges(IntStream.rangeClosed(1, families)
                        .mapToObj(i -> new FamilyAges(
                                i, 0L, 1_700_000_000_000_000L, 0L, Collections.nCopies(classes, 5L), "keep all"))
                        .toList())
                .build();
    }

    private static long usedBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
