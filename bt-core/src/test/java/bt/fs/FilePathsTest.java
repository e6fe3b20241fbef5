package bt.fs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FilePathsTest {
    @ParameterizedTest
    @ValueSource(strings = {"", "a", "log/5/user-0000000001", "data/7/3/12.sst", "a_b"})
    void aPathIsWhatItWas(String path) {
        assertThat(FilePaths.check(path)).isEqualTo(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"/", "/a", "a/", "a//b", ".", "..", "a/../b", ".hidden", "a/.hidden", "a:b", "a b", "a\\b", "a\0"
            })
    void whatCouldLeaveTheRootOrFitsNoFileSystemIsRefused(String path) {
        assertThatThrownBy(() -> FilePaths.check(path)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theRootCannotBeCreatedRenamedOrDeleted() {
        assertThatThrownBy(() -> FilePaths.checkBelowRoot("")).isInstanceOf(IllegalArgumentException.class);
        assertThat(FilePaths.checkBelowRoot("a")).isEqualTo("a");
    }

    @Test
    void aPathIsItsParentAndItsName() {
        assertThat(FilePaths.parent("a/b/c")).isEqualTo("a/b");
        assertThat(FilePaths.name("a/b/c")).isEqualTo("c");
        assertThat(FilePaths.parent("a")).isEmpty();
        assertThat(FilePaths.name("a")).isEqualTo("a");
    }
}
