package bt.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

class BytesTest {
    @Test
    void halfASurrogatePairIsNoText() {
        for (String text : List.of("a\ud800", "\udc00", "\udc00\ud800", "\ud83d\ude00\ud83d!")) {
            assertThatThrownBy(() -> Bytes.utf8(text))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is half of a surrogate pair");
            assertThatThrownBy(() -> Bytes.parse(text)).isInstanceOf(MalformedTextException.class);
        }
        assertThatThrownBy(() -> Bytes.utf8("ab\ud83d!"))
                .hasMessageStartingWith("character 3 of 4 is half of a surrogate pair, \\ud83d, and has no UTF-8");
        assertThat(Bytes.utf8("\ud83d\ude00!")).isEqualTo(Bytes.hex("f09f988021"));
        assertThat(Bytes.parse("\ud83d\ude00!")).isEqualTo(Bytes.hex("f09f988021"));
    }

    @Test
    void inBriefAShortKeyIsAllThere() {
        Bytes key = Bytes.utf8("k\\\u00ff".repeat(25));
        assertThat(key.length()).isEqualTo(100);
        assertThat(key.brief()).isEqualTo(key.toString());
        assertThat(Bytes.EMPTY.brief()).isEmpty();
    }

    @Test
    void inBriefALongKeyIsItsBeginningAndItsLength() {
        assertThat(Bytes.wrap(new byte[101]).brief()).isEqualTo("\\x00".repeat(100) + "…(101 bytes)");
    }
}
