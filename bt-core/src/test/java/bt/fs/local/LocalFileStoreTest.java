package bt.fs.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.fs.FileReader;
import bt.fs.FileStore;
import bt.fs.FileStore.Placement;
import bt.fs.FileWriter;
import bt.testing.FileStoreContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalFileStoreTest extends FileStoreContract {
    @TempDir
    private Path root;

    @Override
    protected List<FileStore> twoProcesses() throws BigtableException {
        return List.of(LocalFileStore.open(root), LocalFileStore.open(root));
    }

    @Test
    void whatAFencedWriterStillAppendsIsNeverSeen() throws Exception {
        FileStore store = LocalFileStore.open(root);
        FileWriter zombie = store.create("a", Placement.LOG);
        zombie.append(new byte[10], 0, 10);
        zombie.flush();
        assertThat(store.fence("a", 0)).isEqualTo(10);
        zombie.append(new byte[10], 0, 10);
        assertFails(Kind.FENCED, zombie::flush);
        assertThat(content(store, "a").length()).isEqualTo(10);
    }

    @Test
    void aWriterInAnotherProcessIsFencedAlive() throws Exception {
        FileStore store = LocalFileStore.open(root);
        try (WriterProcess zombie = WriterProcess.start(root)) {
            zombie.awaitSyncs(10);
            long fenced = store.fence("a", 0);
            assertThat(zombie.lastSynced()).isLessThanOrEqualTo(fenced);
            assertThat(fenced).isGreaterThanOrEqualTo(1000);
            assertThat(zombie.exitCode()).isEqualTo(Kind.FENCED.number());
            assertThat(content(store, "a").length()).isEqualTo((int) fenced);
        }
    }

    @Test
    void theFileOfAKilledProcessStaysOpenUntilItIsFenced() throws Exception {
        FileStore store = LocalFileStore.open(root);
        try (WriterProcess victim = WriterProcess.start(root)) {
            victim.awaitSyncs(10);
            victim.kill();
            long synced = Math.max(victim.lastSynced(), 1000);
            assertFails(Kind.UNAVAILABLE, () -> store.open("a"));
            assertThat(store.fence("a", 0)).isGreaterThanOrEqualTo(synced);
        }
    }

    @Test
    void aFenceThatDiedHalfWayIsRepeated() throws Exception {
        FileStore store = LocalFileStore.open(root);
        FileWriter writer = store.create("a", Placement.LOG);
        writer.append(new byte[10], 0, 10);
        Lease.revoke(root.resolve("a"));
        Files.writeString(root.resolve(".a.copy"), "half");
        assertFails(Kind.FENCED, writer::sync);
        assertFails(Kind.UNAVAILABLE, () -> store.open("a"));
        assertThat(store.fence("a", 0)).isEqualTo(10);
        assertThat(content(store, "a").length()).isEqualTo(10);
    }

    @Test
    void aCreateThatDiedHalfWayMayBeRepeated() throws Exception {
        FileStore store = LocalFileStore.open(root);
        Lease.take(root.resolve("a"));
        write(store, "a", 10);
        assertThat(content(store, "a").length()).isEqualTo(10);
    }

    @Test
    void leasesAndLocksAreNotListed() throws Exception {
        FileStore store = LocalFileStore.open(root);
        FileWriter writer = store.create("a", Placement.LOG);
        assertThat(store.list("")).hasSize(1);
        writer.close();
        try (var left = Files.list(root)) {
            assertThat(left.map(path -> path.getFileName().toString())).containsExactlyInAnyOrder(".lock", "a");
        }
    }

    @Test
    void anInterruptedReaderLeavesTheFileToTheOthers() throws Exception {
        FileStore store = LocalFileStore.open(root);
        write(store, "a", 10);
        try (FileReader reader = store.open("a")) {
            Thread.currentThread().interrupt();
            assertFails(Kind.UNAVAILABLE, () -> reader.readFully(0, new byte[10], 0, 10));
            assertThat(Thread.interrupted()).isTrue();
            reader.readFully(0, new byte[10], 0, 10);
        }
    }

    @Test
    void aClosedReaderSaysSo() throws Exception {
        FileStore store = LocalFileStore.open(root);
        write(store, "a", 10);
        FileReader reader = store.open("a");
        reader.close();
        assertFails(Kind.UNAVAILABLE, () -> reader.readFully(0, new byte[10], 0, 10));
    }

    @Test
    void aRootThatIsAFileIsRefused() throws IOException {
        Path file = Files.writeString(root.resolve("file"), "x");
        assertThatThrownBy(() -> LocalFileStore.open(file)).hasMessageContaining("is no directory");
    }
}
