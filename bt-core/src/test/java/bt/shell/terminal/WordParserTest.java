package bt.shell.terminal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.jline.reader.EOFError;
import org.jline.reader.Parser.ParseContext;
import org.junit.jupiter.api.Test;

class WordParserTest {
    @Test
    void theWordOfTheCursorIsKnownWithItsPlace() {
        LineWords words = parse("get 'we'b row", 7);
        assertThat(words.words()).containsExactly("get", "web", "row");
        assertThat(words.word()).isEqualTo("web");
        assertThat(words.wordCursor()).isEqualTo(2);
        assertThat(words.rawWordCursor()).isEqualTo(3);
        assertThat(words.rawWordLength()).isEqualTo(5);
    }

    @Test
    void betweenWordsAndBehindThemAWordBegins() {
        assertThat(parse("get  row", 4).words()).containsExactly("get", "", "row");
        assertThat(parse("get ", 4).wordIndex()).isEqualTo(1);
        assertThat(parse("", 0).words()).containsExactly("");
        assertThat(parse("get", 3).word()).isEqualTo("get");
    }

    @Test
    void aLineGoesOnWhileItsQuoteIsOpen() {
        assertThatThrownBy(() -> new WordParser().parse("put t r f:q 'a", 14, ParseContext.ACCEPT_LINE))
                .isInstanceOf(EOFError.class);
        assertThat(parse("get 'we", 7).word()).isEqualTo("we");
    }

    @Test
    void aQuoteInACommentKeepsNoLineOpen() {
        assertThat(new WordParser().parse("# it's", 6, ParseContext.ACCEPT_LINE).words())
                .containsExactly("#", "its");
    }

    private static LineWords parse(String line, int cursor) {
        return (LineWords) new WordParser().parse(line, cursor, ParseContext.COMPLETE);
    }
}
