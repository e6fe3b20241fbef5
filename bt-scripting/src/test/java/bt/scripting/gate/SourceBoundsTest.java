package bt.scripting.gate;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.RejectedException;
import java.time.Duration;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Sources that are long or deep: an answer comes soon, and from a small stack. */
class SourceBoundsTest {
    private static final int STACK_BYTES = 512 << 10;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "!",
                "- ",
                "-!",
                "a?b:",
                "a?",
                "cell=",
                "if(true)",
                "if(true)\n",
                "if(true){}else ",
                "1<",
                "cell<",
                "1+",
                "1&&",
                "cell.",
                "[0]",
                "while(true)",
                "for(x in [1])",
                "do ",
                "1==",
                "1 in ",
                "a,",
                "a().",
                "a{}",
                "a ",
                "1..",
                "A<B>",
                "A<",
                "a:",
                "a [ b ( ",
                "(",
                "[",
                "{",
                "\"${",
                "'a'+",
                "/",
                "'",
                "'''",
                "\"",
                "$/",
                "a<<",
                "(int)",
                "1;",
                "def a=1;",
                "{->",
                "/*",
                "@A(",
                "\\u0028",
                "x = [",
                "if (1) {",
                "-1 + ",
                "1 ? 1 : ",
                "a\n.b"
            })
    @Timeout(60)
    void repeatedTwentyThousandBytesLongEndsSoon(String part) throws Exception {
        for (int length : new int[] {1000, SourceBounds.MAX_BYTES - 1}) {
            String source = part.repeat(length / part.length()) + "1";
            Duration taken = compileOnASmallStack(source);
            assertThat(taken).isLessThan(Duration.ofSeconds(10));
        }
    }

    @Test
    void anExpressionOfManyTermsCompiles() throws RejectedException {
        ScriptCompiler.compile("cell.row == 'a'" + " || cell.row == 'b'".repeat(90));
    }

    @Test
    void aListOfManyTextsCompiles() throws RejectedException {
        ScriptCompiler.compile("cell.row in [" + "'org.apache', ".repeat(1000) + "'org']");
    }

    /** What the server's threads have is more; the outcome does not matter, but it must not be an Error. */
    private static Duration compileOnASmallStack(String source) throws Exception {
        long started = System.nanoTime();
        FutureTask<Boolean> compile = new FutureTask<>(() -> {
            try {
                ScriptCompiler.compile(source);
                return true;
            } catch (RejectedException e) {
                return false;
            }
        });
        Thread thread = new Thread(null, compile, "small stack", STACK_BYTES);
        thread.start();
        compile.get();
        return Duration.ofNanos(System.nanoTime() - started);
    }
}
