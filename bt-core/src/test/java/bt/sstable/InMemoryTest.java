package bt.sstable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.UnavailableException;
import bt.fs.FileStore;
import bt.testing.FileOperation;
import bt.testing.MemoryFileStore;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Files of in-memory locality groups. */
class InMemoryTest {
    private static final int ENTRIES = 5_000;
    private final SortedMap<Bytes, Bytes> cells = new TreeMap<>();
    private final SortedMap<Bytes, Bytes> deletions = new TreeMap<>();
    private int reads;
    private boolean broken;
    private FileStore store;

    @BeforeEach
    void write() throws BigtableException {
        store = new MemoryFileStore(Clock.system(), (process, operation, path) -> {
                    if (operation == FileOperation.READ) {
                        reads++;
                        if (broken) {
                            throw new UnavailableException("no datanode answers");
                        }
                    }
                })
                .process("test");
        store.makeDirectory("data/7/1");
        for (int i = 0; i < ENTRIES; i++) {
            cells.put(Bytes.utf8(String.format("row%06d/family", i)), Bytes.utf8("value " + i));
            deletions.put(Bytes.utf8(String.format("row%06d", i)), Bytes.EMPTY);
        }
        SSTables.write(store, SSTables.options(1 << 10, "lz4"), cells, deletions);
    }

    @Test
    void theFirstReadLoadsAllOfItAndNoOtherReadsTheFileOrTheCache() throws BigtableException {
        Caches caches = Caches.of(new CacheSizes(1 << 20, 0, 4 << 20));
        try (SSTable file = SSTable.openInMemory(store, SSTables.PATH, caches, SSTables.BEFORE_SLASH)) {
            assertThat(caches.inMemory().bytes()).isZero();
            assertThat(file.cursor().seek(Bytes.EMPTY)).isTrue();
            reads = 0;
            for (Access access : Access.values()) {
                if (access != Access.COMPACTION) {
                    assertThat(SSTables.all(file.cursor(access))).isEqualTo(SSTables.entries(cells));
                    assertThat(SSTables.all(file.deletions(access))).isEqualTo(SSTables.entries(deletions));
                }
            }
            assertThat(reads).isZero();
            assertThat(caches.inMemory().loads()).isEqualTo(1);
            assertThat(caches.inMemory().bytes()).isBetween(100_000L, 4L << 20);
            assertThat(caches.blocks().hits() + caches.blocks().misses()).isZero();
        }
        assertThat(caches.inMemory().bytes()).isZero();
    }

    @Test
    void whereTheShareHasNoRoomItIsReadLikeAnyOther() throws BigtableException {
        Caches caches = Caches.of(new CacheSizes(1 << 20, 0, 20_000));
        try (SSTable file = SSTable.openInMemory(store, SSTables.PATH, caches, SSTables.BEFORE_SLASH)) {
            assertThat(SSTables.all(file.cursor())).isEqualTo(SSTables.entries(cells));
            assertThat(SSTables.all(file.cursor())).isEqualTo(SSTables.entries(cells));
            assertThat(caches.inMemory().bytes()).isZero();
            assertThat(caches.inMemory().refusals()).isEqualTo(1);
            assertThat(caches.blocks().hits()).isPositive();
        }
    }

    @Test
    void itIsLoadedOnceThereIsRoom() throws BigtableException {
        Caches caches = Caches.of(new CacheSizes(1 << 20, 0, 200_000));
        SSTable first = SSTable.openInMemory(store, SSTables.PATH, caches, SSTables.BEFORE_SLASH);
        assertThat(first.cursor().seek(Bytes.EMPTY)).isTrue();
        long ofOne = caches.inMemory().bytes();
        assertThat(ofOne).isBetween(100_001L, 200_000L);
        try (SSTable second = SSTable.openInMemory(store, SSTables.PATH, caches, SSTables.BEFORE_SLASH)) {
            assertThat(second.cursor().seek(Bytes.EMPTY)).isTrue();
            assertThat(caches.inMemory().bytes()).isEqualTo(ofOne);
            first.close();
            assertThat(caches.inMemory().bytes()).isZero();
            assertThat(second.cursor().seek(Bytes.EMPTY)).isTrue();
            assertThat(caches.inMemory().bytes()).isEqualTo(ofOne);
        }
        assertThat(caches.inMemory().bytes()).isZero();
    }

    @Test
    void whereOpenFilesHaveNoMoreRoomItsIndexIsInItsOwnShareOrFoundThroughTheCache() throws BigtableException {
        BlockCache cache = BlockCache.ofBytes(1 << 20, 0);
        InMemoryShare share = InMemoryShare.ofBytes(200_000);
        long ofOne;
        try (SSTable first = open(cache, share)) {
            ofOne = share.bytes();
            assertThat(ofOne).isBetween(20_000L, 190_000L);
            assertThat(first.memoryBytes()).isEqualTo(cache.openBytes()).isLessThan(2_000);
            reads = 0;
            assertThat(first.mayContain(SSTables.hash("absent"))).isFalse();
            assertThat(reads).isZero();

            assertThat(share.take(200_000 - ofOne)).isTrue();
            try (SSTable second = open(cache, share)) {
                assertThat(second.memoryBytes()).isEqualTo(first.memoryBytes());
                assertThat(SSTables.all(second.cursor())).isEqualTo(SSTables.entries(cells));
                assertThat(SSTables.all(second.deletions())).isEqualTo(SSTables.entries(deletions));
            }
            assertThat(share.bytes()).isEqualTo(200_000);
        }
        assertThat(share.bytes()).isEqualTo(200_000 - ofOne);
        assertThat(cache.openBytes()).isZero();
    }

    private SSTable open(BlockCache cache, InMemoryShare share) throws BigtableException {
        InMemoryPlace place = new InMemoryPlace(share, SSTables.BEFORE_SLASH);
        return SSTable.open(store, SSTables.PATH, cache, Optional.of(place), Tail.MAX_BYTES);
    }

    @Test
    void aLoadThatFailsTakesNothingAndIsTriedAgain() throws BigtableException {
        Caches caches = Caches.of(new CacheSizes(0, 0, 4 << 20));
        try (SSTable file = SSTable.openInMemory(store, SSTables.PATH, caches, SSTables.BEFORE_SLASH)) {
            broken = true;
            assertThatThrownBy(() -> file.cursor().seek(Bytes.EMPTY)).isInstanceOf(UnavailableException.class);
            assertThat(caches.inMemory().bytes()).isZero();
            broken = false;
            assertThat(file.cursor().seek(Bytes.EMPTY)).isTrue();
            assertThat(caches.inMemory().bytes()).isPositive();
        }
    }
}
