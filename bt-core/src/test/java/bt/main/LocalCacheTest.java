package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.fs.LocalBlocks;
import bt.fs.local.LocalBlockFile;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalCacheTest {
    private static final Path OF_THE_JVM = Path.of(System.getProperty("java.io.tmpdir"));

    @Test
    void aContainerHasItInTheFirstOfItsDirectories() {
        assertThat(LocalCache.usualDirectory(Map.of("LOCAL_DIRS", "/disk1/app_1,/disk2/app_1")))
                .isEqualTo(Path.of("/disk1/app_1"));
        assertThat(LocalCache.usualDirectory(Map.of("LOCAL_DIRS", ""))).isEqualTo(OF_THE_JVM);
        assertThat(LocalCache.usualDirectory(Map.of())).isEqualTo(OF_THE_JVM);
    }

    @Test
    void aDirectoryThatIsNamedIsTaken() {
        LocalCache named = LocalCache.read(
                Map.of("tabletserver.localcache.directory", "/disk3", "tabletserver.localcache.bytes", "5"));
        assertThat(named).isEqualTo(new LocalCache(5, Path.of("/disk3")));
    }

    @Test
    void whatIsOnADiskOfTheMachineAnywayIsNotCopied(@TempDir Path directory) {
        LocalCache cache = new LocalCache(1 << 20, directory);
        try (Opened opened = new Opened()) {
            assertThat(cache.open(directory.toUri().toString(), opened)).isSameAs(LocalBlocks.NONE);
            assertThat(cache.open("hdfs://127.0.0.1:8020/bt", opened)).isInstanceOf(LocalBlockFile.class);
        }
    }
}
