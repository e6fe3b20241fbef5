package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.metadata.MetadataSchema;
import bt.model.Bloom;
import bt.model.FamilySchema;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.sstable.Caches;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which cache a tablet's blocks are in, and which stay whatever others read. */
class TabletCachesTest {
    @Test
    void ofAnInMemoryGroupNothingIsReadTwiceWhateverElseIsRead() throws BigtableException {
        List<LocalityGroup> groups = List.of(
                new LocalityGroup("memory", 1 << 10, "lz4", true, Bloom.ROW),
                new LocalityGroup("disk", 1 << 10, "none", false, Bloom.ROW));
        List<FamilySchema> families = List.of(
                new FamilySchema(1, "kept", "memory", GcRule.KEEP_ALL),
                new FamilySchema(2, "large", "disk", GcRule.KEEP_ALL));
        TabletFixture fixture =
                new TabletFixture(new TableSchema(4, "mixed", 1, 3, TableSchema.Durability.SYNC, families, groups));
        for (int i = 0; i < 3_000; i++) {
            fixture.apply(RowMutation.of("row" + i)
                    .set("kept", "q", "kept " + i)
                    .set("large", "q", "large ".repeat(100) + i)
                    .build());
        }
        fixture.flush();
        Caches caches = fixture.context.caches().users();
        assertThat(caches.inMemory().bytes()).isZero();

        read(fixture, "row7", "kept");
        long inMemory = caches.inMemory().bytes();
        assertThat(inMemory).isPositive();
        assertThat(caches.blocks().misses()).isZero();
        for (int i = 0; i < 3_000; i++) {
            read(fixture, "row" + i, "large");
        }
        // More than the block cache takes: of these blocks it has evicted some.
        assertThat(caches.blocks().misses() * 1_024)
                .isGreaterThan(caches.blocks().maxBytes());
        long asked = caches.blocks().hits() + caches.blocks().misses();
        for (int i = 0; i < 3_000; i++) {
            assertThat(read(fixture, "row" + i, "kept")).containsExactly("kept " + i);
        }
        assertThat(caches.inMemory().bytes()).isEqualTo(inMemory);
        assertThat(caches.blocks().hits() + caches.blocks().misses()).isEqualTo(asked);
        fixture.tablet.close();
        assertThat(caches.inMemory().bytes()).isZero();
    }

    @Test
    void metadataHasCachesThatNoUserReaches() throws BigtableException {
        TabletFixture fixture = new TabletFixture(MetadataSchema.SCHEMA);
        fixture.apply(RowMutation.of("row")
                .set(MetadataSchema.LOCATION, "", "server")
                .set(MetadataSchema.STATE, "", "state")
                .build());
        fixture.flush();
        assertThat(read(fixture, "row", MetadataSchema.STATE)).containsExactly("state");
        assertThat(read(fixture, "row", MetadataSchema.LOCATION)).containsExactly("server");

        Caches own = fixture.context.caches().metadata();
        Caches users = fixture.context.caches().users();
        assertThat(own.blocks().bytes()).isPositive();
        assertThat(own.inMemory().loads()).isEqualTo(1);
        assertThat(users.blocks().hits()
                        + users.blocks().misses()
                        + users.scans().misses())
                .isZero();
    }

    private static List<String> read(TabletFixture fixture, String row, String family) throws BigtableException {
        Filter filter = new Filter.Families(List.of(family));
        return fixture.tablet.read(ReadSpec.of(RowRange.row(Bytes.utf8(row)), filter)).cells().stream()
                .map(cell -> cell.value().toUtf8())
                .toList();
    }
}
