package bt.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.RejectedException;
import bt.coord.zookeeper.Secret;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LocalSecretTest {
    @TempDir
    private Path directory;

    @Test
    void whereNoFileIsNamedThereIsNone() throws Exception {
        assertThat(LocalSecret.read(null, null)).isEmpty();
        assertThat(LocalSecret.read("", "")).isEmpty();
    }

    @Test
    void theEnvironmentsFileComesFirst() throws Exception {
        String first = Files.writeString(directory.resolve("first"), "bt:a:b\n").toString();
        String second = Files.writeString(directory.resolve("second"), "bt:c").toString();
        assertThat(LocalSecret.read(first, second)).contains(new Secret("bt", "a:b"));
        assertThat(LocalSecret.read(null, second)).contains(new Secret("bt", "c"));
    }

    /** A process that went on without it would leave files open that its operator thinks closed. */
    @Test
    void aFileThatHoldsNoneIsAMistakeAndIsNotShown() throws Exception {
        Path file = Files.writeString(directory.resolve("file"), "hush");
        assertThatThrownBy(() -> LocalSecret.read(file.toString(), null))
                .isInstanceOf(RejectedException.class)
                .hasMessageStartingWith(file + ": not name:password: ")
                .hasMessageNotContaining("hush");
        assertThatThrownBy(() -> LocalSecret.read(directory.resolve("none").toString(), null))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining(LocalSecret.KEY);
        assertThat(new Secret("bt", "hush").toString()).isEqualTo("bt:…");
    }
}
