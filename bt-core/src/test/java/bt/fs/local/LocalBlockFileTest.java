package bt.fs.local;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.SeededTest;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalBlockFileTest {
    @TempDir
    private Path directory;

    @Test
    void whatIsKeptIsReadAgainAndNothingElseIs() throws Exception {
        try (LocalBlockFile blocks = LocalBlockFile.create(directory, 1_000)) {
            blocks.keep("data/1", 64, part(1, 300));
            assertThat(blocks.read("data/1", 64, 0, new byte[400], 300)).isTrue();
            assertThat(blocks.read("data/1", 64, 1, new byte[400], 300)).isFalse();
            assertThat(blocks.read("data/1", 65, 0, new byte[400], 300)).isFalse();
            assertThat(blocks.read("data/2", 64, 0, new byte[400], 300)).isFalse();
            byte[] read = new byte[300];
            assertThat(blocks.read("data/1", 64, 0, read, 300)).isTrue();
            assertThat(read).isEqualTo(bytes(1, 300));
            byte[] middle = new byte[100];
            assertThat(blocks.read("data/1", 64, 150, middle, 100)).isTrue();
            assertThat(middle).isEqualTo(Arrays.copyOfRange(bytes(1, 300), 150, 250));
            assertThat(blocks.lacks("data/1", 64)).isFalse();
            assertThat(blocks.lacks("data/1", 65)).isTrue();
            assertThat(blocks.has("data/1", 64)).isTrue();
            assertThat(blocks.has("data/1", 65)).isFalse();
        }
    }

    @Test
    void itTellsHowManyBytesItHasCopiesOf() throws Exception {
        LocalBlockFile blocks = LocalBlockFile.create(directory, 1_000);
        assertThat(blocks.maxBytes()).isEqualTo(1_000);
        for (int i = 0; i < 3; i++) {
            blocks.keep("data/1", i, part(i, 300));
            blocks.keep("data/1", i, part(i, 300));
            assertThat(blocks.bytes()).isEqualTo(300L * (i + 1));
        }
        // In the place of the first, and of a part of the second.
        blocks.keep("data/1", 3, part(3, 400));
        assertThat(blocks.bytes()).isEqualTo(300 + 400);
        blocks.drop("data/1", 2);
        blocks.drop("data/1", 2);
        assertThat(blocks.bytes()).isEqualTo(400);
        blocks.close();
        assertThat(blocks.bytes()).isZero();
        assertThat(blocks.maxBytes()).isZero();
    }

    @Test
    void whatWasKeptLongestAgoMakesRoom() throws Exception {
        try (LocalBlockFile blocks = LocalBlockFile.create(directory, 1_000)) {
            for (int i = 0; i < 4; i++) {
                blocks.keep("data/1", i, part(i, 300));
            }
            assertThat(blocks.read("data/1", 0, 0, new byte[300], 300)).isFalse();
            for (int i = 1; i < 4; i++) {
                assertThat(blocks.read("data/1", i, 0, new byte[300], 300)).isTrue();
            }
        }
    }

    @Test
    void whatIsKeptWhereThereIsRoomDisplacesNothing() throws Exception {
        try (LocalBlockFile blocks = LocalBlockFile.create(directory, 1_000)) {
            for (int i = 0; i < 3; i++) {
                blocks.keepWhereFree("data/1", i, part(i, 300));
            }
            blocks.keepWhereFree("data/1", 3, part(3, 300));
            blocks.keepWhereFree("data/1", 4, part(4, 100));
            assertThat(kept(blocks, 5)).containsExactly(true, true, true, false, true);
            // The round goes on for others, over what was kept first.
            blocks.keep("data/1", 3, part(3, 200));
            assertThat(kept(blocks, 5)).containsExactly(false, true, true, true, true);
            // Behind it is a hundred of the place that has gone.
            blocks.keepWhereFree("data/1", 5, part(5, 101));
            blocks.keepWhereFree("data/1", 6, part(6, 100));
            blocks.keepWhereFree("data/1", 7, part(7, 1));
            assertThat(kept(blocks, 8)).containsExactly(false, true, true, true, true, false, true, false);
            blocks.drop("data/1", 1);
            blocks.keepWhereFree("data/1", 7, part(7, 300));
            assertThat(kept(blocks, 8)).containsExactly(false, false, true, true, true, false, true, true);
        }
    }

    private static List<Boolean> kept(LocalBlockFile blocks, int parts) {
        List<Boolean> kept = new ArrayList<>();
        for (int i = 0; i < parts; i++) {
            kept.add(blocks.has("data/1", i));
        }
        return kept;
    }

    @SeededTest(runs = 100)
    void whatIsKeptWhereThereIsRoomIsReadAsItWasAndNothingGoesForIt(RandomGenerator random) throws Exception {
        try (LocalBlockFile blocks = LocalBlockFile.create(directory, 5_000)) {
            for (int i = 0; i < 300; i++) {
                long offset = random.nextInt(40);
                int length = (int) (100 + offset * 13);
                if (random.nextInt(4) == 0) {
                    blocks.drop("data/1", random.nextInt(40));
                }
                if (random.nextInt(3) == 0) {
                    readOrKeep(blocks, offset);
                    continue;
                }
                List<Boolean> before = kept(blocks, 40);
                blocks.keepWhereFree("data/1", offset, part(offset, length));
                List<Boolean> after = kept(blocks, 40);
                before.set((int) offset, after.get((int) offset));
                assertThat(after).isEqualTo(before);
                readOrKeep(blocks, offset);
            }
        }
    }

    @Test
    void nothingIsLeftInTheDirectoryNotEvenWhileItIsUsed() throws Exception {
        try (LocalBlockFile blocks = LocalBlockFile.create(directory, 1_000);
                Stream<Path> left = Files.list(directory)) {
            blocks.keep("data/1", 0, part(1, 300));
            assertThat(left).isEmpty();
        }
    }

    @Test
    void afterItsEndItHasNothing() throws Exception {
        LocalBlockFile blocks = LocalBlockFile.create(directory, 1_000);
        blocks.keep("data/1", 0, part(1, 300));
        blocks.close();
        blocks.keep("data/1", 1, part(1, 300));
        assertThat(blocks.read("data/1", 0, 0, new byte[300], 300)).isFalse();
        assertThat(blocks.read("data/1", 1, 0, new byte[300], 300)).isFalse();
    }

    @Test
    void whatIsDroppedIsReadNoMoreUntilItIsKeptAgain() throws Exception {
        try (LocalBlockFile blocks = LocalBlockFile.create(directory, 1_000)) {
            blocks.keep("data/1", 0, part(1, 300));
            blocks.drop("data/1", 0);
            blocks.drop("data/1", 0);
            assertThat(blocks.read("data/1", 0, 0, new byte[300], 300)).isFalse();
            assertThat(blocks.lacks("data/1", 0)).isTrue();
            byte[] read = new byte[300];
            blocks.keep("data/1", 0, part(2, 300));
            assertThat(blocks.read("data/1", 0, 0, read, 300)).isTrue();
            assertThat(read).isEqualTo(bytes(2, 300));
        }
    }

    @Test
    void aDiskThatDamagesManyIsLeftAlone() throws Exception {
        try (LocalBlockFile blocks = LocalBlockFile.create(directory, 1_000)) {
            for (int i = 0; i < 100; i++) {
                assertThat(blocks.lacks("data/1", 0)).isTrue();
                blocks.keep("data/1", 0, part(1, 300));
                blocks.drop("data/1", 0);
            }
            assertThat(blocks.lacks("data/1", 0)).isFalse();
            blocks.keep("data/1", 0, part(1, 300));
            assertThat(blocks.read("data/1", 0, 0, new byte[300], 300)).isFalse();
        }
    }

    @Test
    void anInterruptedThreadReadsAndKeeps() throws Exception {
        try (LocalBlockFile blocks = LocalBlockFile.create(directory, 1_000)) {
            Thread.currentThread().interrupt();
            blocks.keep("data/1", 0, part(1, 300));
            assertThat(blocks.read("data/1", 0, 0, new byte[300], 300)).isTrue();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(blocks.read("data/1", 0, 0, new byte[300], 300)).isTrue();
        }
    }

    @Test
    void whoIsInterruptedInTheMiddleTakesItFromNobodyForLong() throws Exception {
        try (LocalBlockFile blocks = LocalBlockFile.create(directory, 20_000)) {
            AtomicInteger rounds = new AtomicInteger();
            Thread reader = new Thread(() -> {
                for (; rounds.get() < 5_000; rounds.incrementAndGet()) {
                    readOrKeep(blocks, rounds.get() % 100);
                }
            });
            reader.start();
            while (reader.isAlive()) {
                reader.interrupt();
            }
            readOrKeep(blocks, 7);
            assertThat(readOrKeep(blocks, 7)).isTrue();
        }
    }

    @SeededTest(runs = 30)
    void whatIsReadIsWhatWasKept(RandomGenerator random) throws Exception {
        try (LocalBlockFile blocks = LocalBlockFile.create(directory, 5_000)) {
            for (int i = 0; i < 500; i++) {
                long offset = random.nextInt(40);
                readOrKeep(blocks, offset);
            }
        }
    }

    /** Bytes that are written over while they are read are seen by nobody. */
    @Test
    void readersBesideAWriterReadWhatWasKept() throws Exception {
        ExecutorService threads = Executors.newFixedThreadPool(3);
        try (LocalBlockFile blocks = LocalBlockFile.create(directory, 20_000)) {
            List<Future<Integer>> found = new ArrayList<>();
            for (int thread = 0; thread < 3; thread++) {
                SplittableRandom random = new SplittableRandom(thread);
                found.add(threads.submit(() -> {
                    int times = 0;
                    for (int i = 0; i < 20_000; i++) {
                        times += readOrKeep(blocks, random.nextInt(100)) ? 1 : 0;
                    }
                    return times;
                }));
            }
            for (Future<Integer> times : found) {
                assertThat(times.get()).isPositive();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static boolean readOrKeep(LocalBlockFile blocks, long offset) {
        int length = (int) (100 + offset * 13);
        byte[] read = new byte[length];
        boolean found = blocks.read("data/1", offset, 0, read, length);
        if (found) {
            assertThat(read).isEqualTo(bytes(offset, length));
        } else {
            keep(blocks, offset, length);
        }
        return found;
    }

    /** Some where there is room alone. */
    private static void keep(LocalBlockFile blocks, long offset, int length) {
        if (offset % 3 == 0) {
            blocks.keepWhereFree("data/1", offset, part(offset, length));
        } else {
            blocks.keep("data/1", offset, part(offset, length));
        }
    }

    private static ByteBuffer part(long seed, int length) {
        return ByteBuffer.wrap(bytes(seed, length));
    }

    private static byte[] bytes(long seed, int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }
}
