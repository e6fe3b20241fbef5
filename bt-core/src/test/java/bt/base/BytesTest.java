package bt.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class BytesTest {
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
