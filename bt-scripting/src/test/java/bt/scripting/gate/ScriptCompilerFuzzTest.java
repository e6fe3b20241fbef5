package bt.scripting.gate;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.RejectedException;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.charset.StandardCharsets;

/** Scripts come from clients: any text is a filter, or is REJECTED with a line of reason. */
class ScriptCompilerFuzzTest {
    @FuzzTest
    void anyText(byte[] bytes) {
        String source = new String(bytes, StandardCharsets.UTF_8);
        try {
            assertThat(ScriptCompiler.compile(source)).isNotNull();
        } catch (RejectedException refused) {
            assertThat(refused.getMessage())
                    .startsWith("script at line ")
                    .doesNotContain("\n")
                    .hasSizeLessThan(1_000);
        }
    }

    /** In a place where only an expression may stand, which most texts do not come to by themselves. */
    @FuzzTest
    void anyTextAsAnExpression(byte[] bytes) {
        anyText(("return (" + new String(bytes, StandardCharsets.UTF_8) + ")").getBytes(StandardCharsets.UTF_8));
    }
}
