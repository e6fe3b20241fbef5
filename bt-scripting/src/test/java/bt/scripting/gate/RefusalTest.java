package bt.scripting.gate;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.RejectedException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a person reads whose script is wrong. */
class RefusalTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "cell.size > 1 &&⏎    foo > 2 | line 2, column 5: unknown word \"foo\"; a script sees cell, argument, Math and",
                "cell.txt | line 1, column 6: unknown property \"txt\"; a script knows bytes, family, hex, qualifier,",
                "cell.text.matches('a') | line 1, column 11: unknown method \"matches\"; a script knows add, contains, ",
                "cell.text.contains() | line 1, column 11: the method \"contains\" takes another number of values",
                "cell.text.contains('a' | line 1, column 19: Unexpected input: '('",
                "def a = 1; def a = 2 | line 1, column 16: the name \"a\" is taken",
                "for (x in [1]) { }; x | line 1, column 21: unknown word \"x\"",
                "if (true) { def y = 1 }⏎y | line 2, column 1: unknown word \"y\"",
                "final a = 1; a = 2 | line 1, column 14: \"a\" cannot be given another value",
                "File f = null | line 1, column 6: unknown type \"File\"; a declaration says def, or one of int,",
                "[1].each { true } | line 1, column 5: unknown method \"each\"",
                "def f = { true } | line 1, column 9: \"closure\" is not part of the script language",
                "cell?.text | line 1, column 5: \"?.\" is not part of the script language",
                "99999999999999999999 | line 1, column 1: the number \"99999999999999999999\" has more than 64 bits",
                "`  ` | line 1, column 1: the script is empty",
                "// nothing | line 1, column 1: the script is empty",
            })
    void saysWhereAndWhy(String source, String reason) {
        assertThatThrownBy(() -> ScriptCompiler.compile(source.replace("⏎", "\n")))
                .isInstanceOf(RejectedException.class)
                .hasMessageStartingWith("script at " + reason);
    }
}
