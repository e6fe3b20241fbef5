package bt.shell;

import static org.assertj.core.api.Assertions.assertThat;

import bt.command.UsageException;
import bt.model.TableSchema;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** Any text is a schema, which is shown as a text that means the same, or is refused with a reason. */
class SchemaFileFuzzTest {
    @FuzzTest
    void anyText(byte[] bytes) throws UsageException {
        TableSchema schema;
        try {
            schema = SchemaFile.parse(new String(bytes, StandardCharsets.UTF_8));
        } catch (UsageException | IllegalArgumentException wrong) {
            // Both of which the command shows with the name of the file; the second is a schema's own complaint.
            assertThat(wrong.getMessage()).isNotBlank();
            return;
        }
        ByteArrayOutputStream shown = new ByteArrayOutputStream();
        Json.printLaidOut(new PrintStream(shown, true, StandardCharsets.UTF_8), SchemaFile.document(schema));
        assertThat(SchemaFile.parse(shown.toString(StandardCharsets.UTF_8))).isEqualTo(schema);
    }
}
