package bt.shell;

import bt.base.Bytes;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/** One JSON document a line: what {@code --json} prints. */
public final class Json {
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private Json() {}

    public static void print(PrintStream out, Map<String, ?> document) {
        try {
            out.println(MAPPER.writeValueAsString(document));
        } catch (JsonProcessingException impossible) {
            throw new AssertionError("maps of strings and numbers are JSON", impossible);
        }
    }

    /**
     * Puts a cell's value into a document: under {@code value} as text if the bytes are UTF-8, else under {@code base64}.
     * Row keys and columns are written as {@code bt} reads them instead: they go back into commands.
     */
    static void putValue(Map<String, Object> document, Bytes value) {
        try {
            ByteBuffer bytes = value.toBuffer();
            document.put(
                    "value", StandardCharsets.UTF_8.newDecoder().decode(bytes).toString());
        } catch (CharacterCodingException binary) {
            document.put("base64", Base64.getEncoder().encodeToString(value.toArray()));
        }
    }
}
