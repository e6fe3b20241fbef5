package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.base.Bytes;
import bt.base.Scheduler.Worker;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.fs.FileInfo;
import bt.fs.FileReader;
import bt.fs.FileStore;
import bt.fs.FileStore.Placement;
import bt.fs.FileWriter;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What every {@link FileStore} does, seen from two processes. */
public abstract class FileStoreContract {
    private static final long FENCE_MILLIS = 60_000;

    private FileStore store;
    private FileStore other;

    /** An empty store as two processes see it. */
    protected abstract List<FileStore> twoProcesses() throws BigtableException;

    @BeforeEach
    void openStores() throws BigtableException {
        List<FileStore> processes = twoProcesses();
        store = processes.get(0);
        other = processes.get(1);
    }

    @ParameterizedTest
    @EnumSource(Placement.class)
    void aClosedFileHoldsWhatWasAppended(Placement placement) throws Exception {
        store.makeDirectory("data/7");
        byte[] bytes = random(300_000);
        try (FileWriter writer = store.create("data/7/1", placement)) {
            writer.append(bytes, 0, 100_000);
            writer.flush();
            writer.append(bytes, 100_000, 1);
            writer.sync();
            writer.append(bytes, 100_001, 199_999);
            assertThat(writer.position()).isEqualTo(300_000);
            assertThat(writer.path()).isEqualTo("data/7/1");
        }
        try (FileReader reader = other.open("data/7/1")) {
            assertThat(reader.length()).isEqualTo(300_000);
            assertThat(read(reader, 0, 300_000)).isEqualTo(Bytes.wrap(bytes));
        }
    }

    @Test
    void anAppendedArrayMayBeReused() throws Exception {
        byte[] bytes = {1, 2, 3};
        try (FileWriter writer = store.create("a", Placement.LOG)) {
            writer.append(bytes, 0, 3);
            Arrays.fill(bytes, (byte) 9);
            writer.append(bytes, 0, 1);
        }
        assertThat(content(store, "a")).isEqualTo(Bytes.hex("01020309"));
    }

    @Test
    void anEmptyFileIsAFile() throws Exception {
        store.create("a", Placement.DATA).close();
        assertThat(content(other, "a")).isEqualTo(Bytes.EMPTY);
    }

    @Test
    void createRefusesWhatExists() throws Exception {
        store.makeDirectory("directory");
        write(store, "closed", 10);
        FileWriter open = store.create("open", Placement.LOG);
        assertFails(Kind.REJECTED, () -> other.create("closed", Placement.LOG));
        assertFails(Kind.REJECTED, () -> other.create("open", Placement.LOG));
        assertFails(Kind.REJECTED, () -> store.create("open", Placement.LOG));
        assertFails(Kind.REJECTED, () -> other.create("directory", Placement.LOG));
        open.append(new byte[5], 0, 5);
        open.close();
        assertThat(content(store, "open").length()).isEqualTo(5);
        assertThat(content(store, "closed").length()).isEqualTo(10);
    }

    @Test
    void createNeverMakesADirectory() throws Exception {
        assertFails(Kind.UNAVAILABLE, () -> store.create("log/5/user-1", Placement.LOG));
        assertThat(store.list("")).isEmpty();
    }

    @Test
    void aRenamedLogDirectoryStopsItsFormerWriter() throws Exception {
        store.makeDirectory("log/5");
        store.makeDirectory("recovered");
        other.rename("log/5", "recovered/5");
        assertFails(Kind.UNAVAILABLE, () -> store.create("log/5/user-1", Placement.LOG));
        assertThat(names(store, "log")).isEmpty();
    }

    @Test
    void aFileThatIsWrittenCannotBeOpened() throws Exception {
        FileWriter writer = store.create("a", Placement.LOG);
        writer.append(new byte[10], 0, 10);
        writer.sync();
        assertFails(Kind.UNAVAILABLE, () -> other.open("a"));
        writer.close();
        other.open("a").close();
    }

    @Test
    void whatIsNotThereIsUnavailable() throws Exception {
        store.makeDirectory("directory");
        assertFails(Kind.UNAVAILABLE, () -> store.open("a"));
        assertFails(Kind.UNAVAILABLE, () -> store.open("directory"));
        assertFails(Kind.UNAVAILABLE, () -> store.fence("a", FENCE_MILLIS));
        assertFails(Kind.UNAVAILABLE, () -> store.hosts("a"));
        assertFails(Kind.UNAVAILABLE, () -> store.rename("a", "b"));
        assertThat(store.delete("a")).isFalse();
        assertThat(store.list("nowhere")).isEmpty();
    }

    @Test
    void aReadPastTheEndIsCorruption() throws Exception {
        write(store, "a", 100);
        try (FileReader reader = store.open("a")) {
            assertThat(read(reader, 90, 10).length()).isEqualTo(10);
            assertThat(read(reader, 100, 0)).isEqualTo(Bytes.EMPTY);
            assertFails(Kind.CORRUPTION, () -> read(reader, 91, 10));
            assertFails(Kind.CORRUPTION, () -> read(reader, 100, 1));
            assertFails(Kind.CORRUPTION, () -> read(reader, Long.MAX_VALUE - 5, 10));
            assertFails(Kind.CORRUPTION, () -> read(reader, -1, 1));
        }
    }

    @Test
    void manyThreadsReadOneReader() throws Exception {
        byte[] bytes = write(store, "a", 200_000);
        AtomicInteger right = new AtomicInteger();
        List<Worker> workers = new ArrayList<>();
        try (ThreadScheduler scheduler = new ThreadScheduler();
                FileReader reader = store.open("a")) {
            for (int thread = 0; thread < 4; thread++) {
                Random random = new Random(thread);
                workers.add(scheduler.start("reader-" + thread, () -> {
                    for (int i = 0; i < 50; i++) {
                        int at = random.nextInt(200_000);
                        int length = random.nextInt(200_000 - at + 1);
                        byte[] target = new byte[length + 3];
                        try {
                            reader.readFully(at, target, 2, length);
                        } catch (BigtableException e) {
                            return;
                        }
                        if (Bytes.wrap(target, 2, length).equals(Bytes.wrap(bytes, at, length))) {
                            right.incrementAndGet();
                        }
                    }
                }));
            }
            for (Worker worker : workers) {
                assertThat(worker.join(60_000)).isTrue();
            }
        }
        assertThat(right).hasValue(200);
    }

    @Test
    void listNamesWhatLiesDirectlyInADirectory() throws Exception {
        store.makeDirectory("data/7/deep");
        store.makeDirectory("data/70");
        write(store, "data/7/b", 20);
        write(store, "data/7/a", 10);
        write(store, "data/7/deep/c", 30);
        List<FileInfo> found = other.list("data/7");
        assertThat(found).extracting(FileInfo::name).containsExactly("a", "b", "deep");
        assertThat(found).extracting(FileInfo::bytes).startsWith(10L, 20L);
        assertThat(found).extracting(FileInfo::directory).containsExactly(false, false, true);
        assertThat(found.get(0).modifiedMicros()).isGreaterThan(1_600_000_000_000_000L);
        assertThat(names(store, "data")).containsExactly("7", "70");
        assertThat(names(store, "")).containsExactly("data");
        assertThat(store.list("data/7/a")).isEmpty();
    }

    @Test
    void makeDirectoryLeavesWhatExists() throws Exception {
        store.makeDirectory("data/7");
        write(store, "data/7/a", 10);
        other.makeDirectory("data/7");
        assertThat(names(store, "data/7")).containsExactly("a");
        assertFails(Kind.REJECTED, () -> store.makeDirectory("data/7/a"));
    }

    @Test
    void renameMovesAFileAndADirectory() throws Exception {
        store.makeDirectory("log/5");
        store.makeDirectory("recovered");
        byte[] bytes = write(store, "log/5/user-1", 1000);
        store.rename("log/5/user-1", "log/5/user-2");
        store.rename("log/5", "recovered/5");
        assertThat(content(other, "recovered/5/user-2")).isEqualTo(Bytes.wrap(bytes));
        assertThat(names(other, "log")).isEmpty();
    }

    @Test
    void renameRefusesAnExistingTarget() throws Exception {
        store.makeDirectory("log/5");
        store.makeDirectory("recovered/5");
        write(store, "a", 10);
        write(store, "b", 20);
        assertFails(Kind.REJECTED, () -> store.rename("log/5", "recovered/5"));
        assertFails(Kind.REJECTED, () -> store.rename("a", "b"));
        assertFails(Kind.REJECTED, () -> store.rename("a", "log/5"));
        assertFails(Kind.UNAVAILABLE, () -> store.rename("a", "nowhere/a"));
        assertThat(names(store, "recovered/5")).isEmpty();
        assertThat(names(store, "")).containsExactly("a", "b", "log", "recovered");
        assertThat(content(store, "b").length()).isEqualTo(20);
    }

    @Test
    void oneOfManyRenamesToOneTargetWins() throws Exception {
        AtomicInteger won = new AtomicInteger();
        List<Worker> workers = new ArrayList<>();
        try (ThreadScheduler scheduler = new ThreadScheduler()) {
            for (int i = 0; i < 6; i++) {
                String from = "from-" + i;
                FileStore mine = i % 2 == 0 ? store : other;
                write(mine, from, i + 1);
                workers.add(scheduler.start(from, () -> {
                    try {
                        mine.rename(from, "target");
                        won.incrementAndGet();
                    } catch (BigtableException refused) {
                        assertThat(refused.kind()).isEqualTo(Kind.REJECTED);
                    }
                }));
            }
            for (Worker worker : workers) {
                assertThat(worker.join(60_000)).isTrue();
            }
        }
        assertThat(won).hasValue(1);
        assertThat(store.list("")).hasSize(6);
    }

    @Test
    void deleteRemovesADirectoryWithAllThatIsInIt() throws Exception {
        store.makeDirectory("data/7/deep");
        write(store, "data/7/deep/c", 30);
        write(store, "data/a", 30);
        assertThat(store.delete("data/7")).isTrue();
        assertThat(names(store, "data")).containsExactly("a");
        assertThat(store.delete("data/a")).isTrue();
        assertThat(store.delete("data/a")).isFalse();
        assertFails(Kind.UNAVAILABLE, () -> store.open("data/a"));
    }

    @Test
    void theWriterOfADeletedFileIsFenced() throws Exception {
        FileWriter writer = store.create("a", Placement.LOG);
        writer.append(new byte[10], 0, 10);
        writer.sync();
        other.delete("a");
        assertFails(Kind.FENCED, writer::close);
    }

    @Test
    void aFenceKeepsWhatWasFlushedAndStopsALivingWriter() throws Exception {
        byte[] bytes = random(1000);
        FileWriter writer = store.create("a", Placement.LOG);
        writer.append(bytes, 0, 400);
        writer.sync();
        writer.append(bytes, 400, 600);
        writer.flush();
        assertThat(other.fence("a", FENCE_MILLIS)).isEqualTo(1000);
        assertFails(Kind.FENCED, () -> {
            writer.append(bytes, 0, 10);
            writer.sync();
        });
        assertFails(Kind.FENCED, writer::close);
        assertThat(content(other, "a")).isEqualTo(Bytes.wrap(bytes));
    }

    @Test
    void aFencedWriterCannotClose() throws Exception {
        FileWriter writer = store.create("a", Placement.DATA);
        writer.append(new byte[10], 0, 10);
        writer.flush();
        other.fence("a", FENCE_MILLIS);
        assertFails(Kind.FENCED, writer::close);
        assertThat(content(other, "a").length()).isEqualTo(10);
    }

    @Test
    void aFenceClosesTheFileOfAWriterThatIsGone() throws Exception {
        FileWriter writer = store.create("a", Placement.LOG);
        writer.append(new byte[1000], 0, 1000);
        writer.sync();
        writer.abandon();
        assertFails(Kind.UNAVAILABLE, () -> other.open("a"));
        assertThat(other.fence("a", FENCE_MILLIS)).isEqualTo(1000);
        assertThat(content(other, "a").length()).isEqualTo(1000);
    }

    @Test
    void aFileInWhichNothingWasWrittenCanBeFenced() throws Exception {
        store.create("a", Placement.LOG).abandon();
        assertThat(other.fence("a", FENCE_MILLIS)).isZero();
        assertThat(content(other, "a")).isEqualTo(Bytes.EMPTY);
    }

    @Test
    void aFenceMayBeRepeatedAndLeavesAClosedFileAsItIs() throws Exception {
        byte[] bytes = write(store, "closed", 100);
        FileWriter writer = store.create("open", Placement.LOG);
        writer.append(new byte[50], 0, 50);
        writer.flush();
        for (FileStore process : List.of(other, other, store)) {
            assertThat(process.fence("closed", FENCE_MILLIS)).isEqualTo(100);
            assertThat(process.fence("open", FENCE_MILLIS)).isEqualTo(50);
        }
        assertThat(content(other, "closed")).isEqualTo(Bytes.wrap(bytes));
    }

    /** However often somebody looks: a look does not begin anew what goes on. */
    @Test
    void aFenceThatNobodyWaitsForGoesOn() throws Exception {
        FileWriter writer = store.create("a", Placement.LOG);
        writer.append(new byte[50], 0, 50);
        writer.sync();
        Awaitility.await()
                .pollInterval(Duration.ofMillis(20))
                .atMost(Duration.ofMillis(FENCE_MILLIS))
                .ignoreExceptionsInstanceOf(UnavailableException.class)
                .untilAsserted(() -> assertThat(other.fence("a", 0)).isEqualTo(50));
        assertFails(Kind.FENCED, () -> {
            writer.append(new byte[1], 0, 1);
            writer.sync();
        });
    }

    @Test
    void aFenceWorksAfterTheDirectoryWasRenamed() throws Exception {
        store.makeDirectory("log/5");
        store.makeDirectory("recovered");
        FileWriter writer = store.create("log/5/user-1", Placement.LOG);
        writer.append(new byte[50], 0, 50);
        writer.sync();
        other.rename("log/5", "recovered/5");
        assertThat(other.fence("recovered/5/user-1", FENCE_MILLIS)).isEqualTo(50);
        assertFails(Kind.FENCED, () -> {
            writer.append(new byte[1], 0, 1);
            writer.sync();
        });
        assertThat(content(other, "recovered/5/user-1").length()).isEqualTo(50);
    }

    @Test
    void nothingIsAcknowledgedThatAFenceDoesNotKeep() throws Exception {
        byte[] bytes = random(100);
        AtomicLong acknowledged = new AtomicLong();
        AtomicReference<Kind> end = new AtomicReference<>();
        FileWriter writer = store.create("a", Placement.LOG);
        try (ThreadScheduler scheduler = new ThreadScheduler()) {
            Worker worker = scheduler.start("writer", () -> {
                try {
                    while (true) {
                        writer.append(bytes, 0, 100);
                        writer.flush();
                        acknowledged.set(writer.position());
                    }
                } catch (BigtableException e) {
                    end.set(e.kind());
                }
            });
            while (acknowledged.get() < 5_000) {
                scheduler.pause(1);
            }
            long fenced = other.fence("a", FENCE_MILLIS);
            assertThat(worker.join(60_000)).isTrue();
            assertThat(fenced).isGreaterThanOrEqualTo(acknowledged.get());
            assertThat(content(other, "a").length()).isEqualTo((int) fenced);
            assertThat(end).hasValue(Kind.FENCED);
        }
    }

    @Test
    void hostsOfAFileAreDistinctNames() throws Exception {
        write(store, "a", 1000);
        assertThat(store.hosts("a")).doesNotHaveDuplicates().doesNotContain("");
    }

    protected static byte[] write(FileStore store, String path, int length) throws BigtableException {
        byte[] bytes = random(length);
        try (FileWriter writer = store.create(path, Placement.DATA)) {
            writer.append(bytes, 0, length);
        }
        return bytes;
    }

    protected static Bytes content(FileStore store, String path) throws BigtableException {
        try (FileReader reader = store.open(path)) {
            return read(reader, 0, (int) reader.length());
        }
    }

    protected static void assertFails(Kind kind, ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOfSatisfying(BigtableException.class, e -> assertThat(e.kind())
                .isEqualTo(kind));
    }

    private static Bytes read(FileReader reader, long position, int length) throws BigtableException {
        byte[] target = new byte[length];
        reader.readFully(position, target, 0, length);
        return Bytes.wrap(target);
    }

    private static List<String> names(FileStore store, String directory) throws BigtableException {
        return store.list(directory).stream().map(FileInfo::name).toList();
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        return bytes;
    }
}
