package bt.scripting.gate;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.RejectedException;
import bt.testing.SeededTest;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Any text compiles or is REJECTED; no other failure comes out of the compiler. */
class SourcePropertyTest {
    private static final String[] PARTS = {
        "cell",
        ".text",
        ".row",
        "argument",
        "def a = ",
        "def ",
        "int ",
        "a",
        "b",
        " = ",
        " == ",
        " + ",
        " - ",
        " * ",
        " / ",
        " < ",
        " << ",
        "(",
        ")",
        "[",
        "]",
        "{",
        "}",
        "\n",
        ";",
        "'x'",
        "\"${",
        "\"",
        "1",
        "2.5",
        "null",
        "true",
        "!",
        "-",
        "if (",
        "else ",
        "while (",
        "for (a in ",
        "for (",
        "do ",
        "return ",
        "break",
        "continue",
        " ? ",
        " : ",
        ", ",
        "..",
        ".contains(",
        ".size()",
        "Math.max(",
        "++",
        "--",
        " += ",
        " in ",
        "&&",
        "||",
        "[:]",
        "[a: 1]",
        "[1, 2]",
        "String ",
        "a[0]",
        "a[0] = ",
        "1..3",
        "in",
        "final "
    };

    @SeededTest(runs = 150)
    void soupOfWordsCompilesOrIsRejected(RandomGenerator random) {
        StringBuilder source = new StringBuilder();
        for (int i = random.nextInt(2, 14); i > 0; i--) {
            source.append(PARTS[random.nextInt(PARTS.length)]);
        }
        compile(source.toString());
    }

    @SeededTest(runs = 100)
    void aScriptWithAPartReplacedCompilesOrIsRejected(RandomGenerator random) {
        String[] script =
                "def a = [ 1 , 'x' ] ; for (b in a ) { if ( b == 1 ) { a[0] = 2 ; continue } ; a << 3 } ; a.size() > 2 ? cell.text : a"
                        .split("(?= )");
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            script[random.nextInt(script.length)] = PARTS[random.nextInt(PARTS.length)];
        }
        compile(String.join("", script));
    }

    @Test
    void aTextThatTheLexerGivesUpOnIsRejected() {
        assertThatThrownBy(() -> ScriptCompiler.compile(" + in{ : \"${final int )]\nreturn 1..3"))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("line ");
    }

    private static void compile(String source) {
        try {
            ScriptCompiler.compile(source);
        } catch (RejectedException expected) {
            // As good an answer as any.
        } catch (RuntimeException | Error e) {
            throw new AssertionError("source: " + source, e);
        }
    }
}
