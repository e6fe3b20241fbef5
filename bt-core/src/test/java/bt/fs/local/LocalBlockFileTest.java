package bt.fs.local;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.SeededTest;
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
            blocks.keep("data/1", 64, bytes(1, 300), 300);
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
        }
    }

    @Test
    void whatWasKeptLongestAgoMakesRoom() throws Exception {
        try (LocalBlockFile blocks = LocalBlockFile.create(directory, 1_000)) {
            for (int i = 0; i < 4; i++) {
                blocks.keep("data/1", i, bytes(i, 300), 300);
            }
            assertThat(blocks.read("data/1", 0, 0, new byte[300], 300)).isFalse();
            for (int i = 1; i < 4; i++) {
                assertThat(blocks.read("data/1", i, 0, new byte[300], 300)).isTrue();
            }
        }
    }

    @Test
    void nothingIsLeftInTheDirectoryNotEvenWhileItIsUsed() throws Exception {
        try (LocalBlockFile blocks = LocalBlockFile.create(directory, 1_000);
                Stream<Path> left = Files.list(directory)) {
            blocks.keep("data/1", 0, bytes(1, 300), 300);
            assertThat(left).isEmpty();
        }
    }

    @Test
    void afterItsEndItHasNothing() throws Exception {
        LocalBlockFile blocks = LocalBlockFile.create(directory, 1_000);
        blocks.keep("data/1", 0, bytes(1, 300), 300);
        blocks.close();
        blocks.keep("data/1", 1, bytes(1, 300), 300);
        assertThat(blocks.read("data/1", 0, 0, new byte[300], 300)).isFalse();
        assertThat(blocks.read("data/1", 1, 0, new byte[300], 300)).isFalse();
    }

    @Test
    void whatIsDroppedIsReadNoMoreUntilItIsKeptAgain() throws Exception {
        try (LocalBlockFile blocks = LocalBlockFile.create(directory, 1_000)) {
            blocks.keep("data/1", 0, bytes(1, 300), 300);
            blocks.drop("data/1", 0);
            blocks.drop("data/1", 0);
            assertThat(blocks.read("data/1", 0, 0, new byte[300], 300)).isFalse();
            assertThat(blocks.lacks("data/1", 0)).isTrue();
            byte[] read = new byte[300];
            blocks.keep("data/1", 0, bytes(2, 300), 300);
            assertThat(blocks.read("data/1", 0, 0, read, 300)).isTrue();
            assertThat(read).isEqualTo(bytes(2, 300));
        }
    }

    @Test
    void aDiskThatDamagesManyIsLeftAlone() throws Exception {
        try (LocalBlockFile blocks = LocalBlockFile.create(directory, 1_000)) {
            for (int i = 0; i < 100; i++) {
                assertThat(blocks.lacks("data/1", 0)).isTrue();
                blocks.keep("data/1", 0, bytes(1, 300), 300);
                blocks.drop("data/1", 0);
            }
            assertThat(blocks.lacks("data/1", 0)).isFalse();
            blocks.keep("data/1", 0, bytes(1, 300), 300);
            assertThat(blocks.read("data/1", 0, 0, new byte[300], 300)).isFalse();
        }
    }

    @Test
    void anInterruptedThreadReadsAndKeeps() throws Exception {
        try (LocalBlockFile blocks = LocalBlockFile.create(directory, 1_000)) {
            Thread.currentThread().interrupt();
            blocks.keep("data/1", 0, bytes(1, 300), 300);
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
            blocks.keep("data/1", offset, bytes(offset, length), length);
        }
        return found;
    }

    private static byte[] bytes(long seed, int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(seed).nextBytes(bytes);
        return bytes;
    }
}
