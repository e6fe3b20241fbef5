package bt.shell.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class WordTest {
    @Test
    void blanksPartWordsAndQuotesHoldThemTogether() {
        assertThat(texts("  get web\t'a  b' \"it's\"  ")).containsExactly("get", "web", "a  b", "it's");
        assertThat(texts("a' 'b\"c\"'' '' x")).containsExactly("a bc", "", "x");
        assertThat(texts(" \t ")).isEmpty();
    }

    @Test
    void aBackslashIsItselfEverywhere() {
        assertThat(texts("\\x00\\\\ '\\x27' \"\\\"")).containsExactly("\\x00\\\\", "\\x27", "\\");
    }

    @Test
    void aWordKnowsWhereItLiesAndWhetherItsQuoteIsOpen() {
        assertThat(Word.cut("ab 'c d")).containsExactly(new Word("ab", 0, 2, false), new Word("c d", 3, 7, true));
    }

    private static List<String> texts(String line) {
        return Word.cut(line).stream().map(Word::text).toList();
    }
}
