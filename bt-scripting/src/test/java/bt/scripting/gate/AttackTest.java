package bt.scripting.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.RejectedException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The attacks of attacks.txt: each is refused before anything of it can run. */
class AttackTest {
    @ParameterizedTest(name = "{0}")
    @MethodSource("attacks")
    void isRefusedWithOneLine(String name, String source) {
        assertThatThrownBy(() -> ScriptCompiler.compile(source))
                .isInstanceOf(RejectedException.class)
                .message()
                .matches("script at line [1-9]\\d*, column [1-9]\\d*: .{5,700}");
    }

    @AfterAll
    static void nothingHasHappened() {
        assertThat(System.getProperty("bt.attack")).isNull();
        assertThat(Files.exists(Path.of("/tmp/bt-attack"))).isFalse();
    }

    static Stream<Arguments> attacks() throws IOException {
        try (InputStream in = AttackTest.class.getResourceAsStream("attacks.txt")) {
            String table = new String(in.readAllBytes(), StandardCharsets.UTF_8);
            return Arrays.stream(table.split("(?m)^== ")).skip(1).map(AttackTest::attack);
        }
    }

    private static Arguments attack(String text) {
        int end = text.indexOf('\n');
        return Arguments.of(text.substring(0, end), text.substring(end + 1).stripTrailing());
    }
}
