package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.base.Clock;
import bt.fs.FileStore;
import bt.fs.FileStore.Placement;
import bt.fs.FileWriter;
import bt.testing.MemoryFileStore.Loss;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class MemoryFileStoreTest extends FileStoreContract {
    private final MemoryFileStore memory = new MemoryFileStore(Clock.system());

    @Override
    protected List<FileStore> twoProcesses() {
        return List.of(memory.process("one"), memory.process("other"));
    }

    @SeededTest
    void aKilledProcessLosesAtMostWhatItHadNotFlushed(RandomGenerator random) throws Exception {
        assertThat(lengthAfterCrash(Loss.UNFLUSHED, random)).isBetween(20L, 30L);
    }

    @SeededTest
    void lostPowerTakesAtMostWhatWasNotSyncedAndTheChunkItBeganIn(RandomGenerator random) throws Exception {
        assertThat(lengthAfterCrash(Loss.UNSYNCED, random))
                .satisfiesAnyOf(length -> assertThat(length).isZero(), length -> assertThat(length)
                        .isBetween(10L, 30L));
    }

    @SeededTest
    void lostPowerLeavesSyncedChunksAlone(RandomGenerator random) throws Exception {
        FileWriter writer = memory.process("victim").create("log", Placement.LOG);
        writer.append(new byte[FileWriter.CHUNK_BYTES], 0, FileWriter.CHUNK_BYTES);
        writer.sync();
        writer.append(new byte[10], 0, 10);
        memory.crash("victim", random);
        assertThat(memory.process("next").fence("log", 0)).isBetween(512L, 522L);
    }

    @SeededTest(runs = 1)
    void everyLengthOfTornTailHappens(RandomGenerator random) throws Exception {
        List<Long> lengths = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            lengths.add(lengthAfterCrash(Loss.UNSYNCED, random));
        }
        assertThat(lengths).contains(0L, 10L, 11L, 19L, 20L, 21L, 29L, 30L);
    }

    @SeededTest
    void lostPowerTakesWhatAClosedLogHadNotSynced(RandomGenerator random) throws Exception {
        FileWriter writer = torn();
        writer.close();
        write(memory.process("victim"), "data", 1000);
        memory.losePower(random);
        FileStore next = memory.process("next");
        assertThat(content(next, "log").length()).isBetween(0, 30);
        assertThat(content(next, "data").length()).isEqualTo(1000);
    }

    @Test
    void aCrashedViewIsFencedAndTheNextOneIsNot() throws Exception {
        FileStore before = memory.process("victim");
        FileWriter writer = torn();
        memory.crash("victim", RandomGenerator.getDefault());
        assertFails(Kind.FENCED, () -> before.list(""));
        assertFails(Kind.FENCED, () -> before.create("b", Placement.LOG));
        assertFails(Kind.FENCED, writer::sync);
        FileStore after = memory.process("victim");
        assertFails(Kind.UNAVAILABLE, () -> after.open("log"));
        assertThat(after.list("")).hasSize(1);
    }

    @Test
    void aRenamedDirectoryDoesNotStopAnOpenWriter() throws Exception {
        FileStore store = memory.process("one");
        store.makeDirectory("log");
        FileWriter writer = store.create("log/a", Placement.LOG);
        memory.process("other").rename("log", "moved");
        writer.append(new byte[10], 0, 10);
        writer.close();
        assertThat(content(store, "moved/a").length()).isEqualTo(10);
    }

    @Test
    void theHookMayCrashTheProcessInTheMiddle() throws Exception {
        List<String> seen = new ArrayList<>();
        MemoryFileStore[] hooked = new MemoryFileStore[1];
        hooked[0] = new MemoryFileStore(Clock.system(), (process, operation, path) -> {
            seen.add(process + " " + operation + " " + path);
            if (operation == FileOperation.SYNC) {
                hooked[0].crash(process, Loss.UNFLUSHED, RandomGenerator.getDefault());
            }
        });
        FileWriter writer = hooked[0].process("p").create("a", Placement.LOG);
        writer.append(new byte[1], 0, 1);
        assertFails(Kind.FENCED, writer::sync);
        writer.abandon();
        assertThat(seen).containsExactly("p CREATE a", "p APPEND a", "p SYNC a", "p ABANDON a");
    }

    /** Ten bytes synced, ten flushed, ten appended. */
    private FileWriter torn() throws BigtableException {
        FileWriter writer = memory.process("victim").create("log", Placement.LOG);
        writer.append(new byte[10], 0, 10);
        writer.sync();
        writer.append(new byte[10], 0, 10);
        writer.flush();
        writer.append(new byte[10], 0, 10);
        return writer;
    }

    private long lengthAfterCrash(Loss loss, RandomGenerator random) throws Exception {
        torn();
        memory.crash("victim", loss, random);
        FileStore next = memory.process("next");
        long length = next.fence("log", 0);
        assertThat(content(next, "log").length()).isEqualTo((int) length);
        next.delete("log");
        return length;
    }
}
