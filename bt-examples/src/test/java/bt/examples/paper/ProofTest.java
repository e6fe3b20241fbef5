package bt.examples.paper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.record.CacheReport;
import bt.record.CompactionReport;
import bt.record.LogReport;
import bt.record.Phase;
import bt.record.RequestReport;
import bt.record.ServerStatus;
import bt.record.TabletReport;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is made of the caches and counts that servers tell. */
class ProofTest {
    private static final long TABLE = 7;
    private static final CacheReport NO_COPIES = new CacheReport("local", 0L, 0L, 0L, 0L);
    private static final CacheReport ALL_IN_MEMORY = new CacheReport("in-memory", 500L, 1_000L, 4L, 0L);
    private static final CacheReport NOT_ALL_IN_MEMORY = new CacheReport("in-memory", 900L, 1_000L, 3L, 2L);

    @Test
    void whatFoundNoRoomInMemoryIsNotMeasured() throws Exception {
        ServerLook before = look(ALL_IN_MEMORY, blocks(100, 10), NO_COPIES);
        ServerLook refused = look(NOT_ALL_IN_MEMORY, blocks(150, 20), NO_COPIES);

        assertThatThrownBy(
                        () -> proof(Workload.RANDOM_READ_MEM, before, refused).check(1_000))
                .isInstanceOf(NotMeasured.class)
                .hasMessageContaining("tablet server a:1 has no room")
                .hasMessageContaining("1,000 bytes for in-memory groups 900 are taken")
                .hasMessageContaining("tabletserver.inmemory.bytes");
        // A scan asks for a block for some sixty rows.
        assertThatThrownBy(() -> proof(Workload.SCAN_MEM, before, refused).check(60 * 1_000))
                .isInstanceOf(NotMeasured.class);
        // Of 60 look-ups of blocks, others' may be as many as that.
        proof(Workload.RANDOM_READ_MEM, before, refused).check(6_000);
        // Others read blocks; what is in memory is all there.
        proof(Workload.RANDOM_READ_MEM, before, look(ALL_IN_MEMORY, blocks(500, 20), NO_COPIES))
                .check(1_000);
    }

    @Test
    void whatIsNotInTheBlockCacheIsNotMeasured() throws Exception {
        ServerLook before = look(ALL_IN_MEMORY, blocks(100, 10), NO_COPIES);

        proof(Workload.SCAN_CACHE, before, look(ALL_IN_MEMORY, blocks(1_090, 20), NO_COPIES))
                .check(1);
        assertThatThrownBy(() -> proof(Workload.SCAN_CACHE, before, look(ALL_IN_MEMORY, blocks(1_070, 40), NO_COPIES))
                        .check(1))
                .isInstanceOf(NotMeasured.class)
                .hasMessageContaining("3 % of its blocks were in no block cache")
                .hasMessageContaining("have 2,000 bytes, the table has 6,000")
                .hasMessageContaining("tabletserver.blockcache.bytes");
    }

    @Test
    void aLocalCacheThatHasRoomAndWasNotFilledIsNotMeasured() throws Exception {
        ServerLook before = look(ALL_IN_MEMORY, blocks(0, 0), local(3_000, 100, 10));
        ServerLook unfilled = look(ALL_IN_MEMORY, blocks(0, 0), local(3_000, 180, 30));

        assertThatThrownBy(() -> proof(Workload.RANDOM_READ, before, unfilled).check(100))
                .isInstanceOf(NotMeasured.class)
                .hasMessageContaining("80 % of what was asked of it was there");
        assertThat(proof(Workload.RANDOM_READ, before, unfilled).partInLocalCache())
                .hasValue(0.25);
        assertThat(proof(Workload.RANDOM_READ_TCP, before, unfilled).partInLocalCache())
                .isEmpty();
        // Where there is room for a part alone, that is told.
        ServerLook small = look(ALL_IN_MEMORY, blocks(0, 0), local(2_900, 180, 30));
        assertThatCode(() -> proof(Workload.RANDOM_READ, before, small).check(100))
                .doesNotThrowAnyException();
        // Nor is anything asked of one that is not there.
        ServerLook none = look(ALL_IN_MEMORY, blocks(0, 0), NO_COPIES);
        Proof without = proof(Workload.SCAN, none, none);
        without.check(100);
        assertThat(without.partInLocalCache()).hasValue(0);
    }

    @Test
    void whatWasAtWorkAtEitherEndOfTheTimeFellIntoIt() {
        ServerLook before = look(new CompactionReport(5L, 4L, 3L, 3L, 0L), new LogReport(0L, 0L, 10L, 100L, 1_000L));
        ServerLook after = look(new CompactionReport(7L, 6L, 4L, 3L, 0L), new LogReport(0L, 0L, 14L, 130L, 2_500L));

        // Of each server: the one that was at work, and two more, of which one still is.
        Window window = after.since(before);
        assertThat(window.flushes()).isEqualTo(2 * 3);
        assertThat(window.merges()).isEqualTo(2);
        assertThat(window.logBytes()).isEqualTo(2 * 1_500);
        assertThat(window.rowsPerBatch()).hasValue(30.0 / 4);
        assertThat(before.since(before).rowsPerBatch()).isEmpty();
        assertThat(after.isCompacting()).isTrue();
        assertThat(look(new CompactionReport(7L, 7L, 4L, 4L, 0L), new LogReport(0L, 0L, 0L, 0L, 0L))
                        .isCompacting())
                .isFalse();
    }

    private static Proof proof(Workload workload, ServerLook before, ServerLook after) {
        return new Proof(workload, after, after.since(before), after.fileBytes(TABLE));
    }

    private static CacheReport blocks(long hits, long misses) {
        return new CacheReport("blocks", 900L, 1_000L, hits / 2, misses / 2);
    }

    private static CacheReport local(long maxBytes, long hits, long misses) {
        return new CacheReport("local", 750L, maxBytes, hits / 2, misses / 2);
    }

    private static ServerLook look(CacheReport... caches) {
        return look(List.of(caches), new CompactionReport(0L, 0L, 0L, 0L, 0L), new LogReport(0L, 0L, 0L, 0L, 0L));
    }

    private static ServerLook look(CompactionReport compactions, LogReport log) {
        return look(List.of(), compactions, log);
    }

    /** Two servers that say the same. */
    private static ServerLook look(List<CacheReport> caches, CompactionReport compactions, LogReport log) {
        RequestReport none = new RequestReport(0L, 0L, List.of());
        ServerStatus status = new ServerStatus(
                "s",
                1L,
                true,
                1,
                List.of(tablet(TABLE, 3_000), tablet(TABLE + 1, 1_000)),
                caches,
                0L,
                0L,
                0L,
                none,
                none,
                List.of(),
                -1L,
                -1L,
                log,
                -1L,
                -1L,
                List.of(),
                compactions,
                List.of(),
                List.of(),
                false,
                0,
                false,
                false,
                0L,
                0L);
        return new ServerLook(Map.of("a:1", status, "b:2", status));
    }

    private static TabletReport tablet(long table, long fileBytes) {
        return TabletReport.newBuilder()
                .setTableId(table)
                .setPhase(Phase.SERVING)
                .setMemtableBytes(0)
                .setFileBytes(fileBytes)
                .setFiles(1)
                .build();
    }
}
