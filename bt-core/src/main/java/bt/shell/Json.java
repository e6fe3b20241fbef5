package bt.shell;

import bt.base.Bytes;
import bt.command.UsageException;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;

/** JSON documents: one a line, as {@code --json} prints them, and those that people write. */
public final class Json {
    private static final ObjectMapper MAPPER = JsonMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final ObjectWriter PIECES = MAPPER.writer()
            .without(JsonGenerator.Feature.AUTO_CLOSE_TARGET)
            .without(SerializationFeature.FLUSH_AFTER_WRITE_VALUE);

    private Json() {}

    /** One document, on a line of its own. */
    public static void print(PrintStream out, Map<String, ?> document) {
        out.println(text(document));
    }

    /** A map, a list, a text or a number, without an end of line; piece by piece, for a value may be long. */
    static void write(PrintStream out, Object value) {
        try {
            PIECES.writeValue(out, value);
        } catch (IOException impossible) {
            throw new AssertionError(
                    "maps of strings and numbers are JSON, and a print stream throws nothing", impossible);
        }
    }

    private static String text(Object value) {
        try {
            return MAPPER.writeValueAsString(value);
        } catch (JsonProcessingException impossible) {
            throw new AssertionError("maps of strings and numbers are JSON", impossible);
        }
    }

    /** Over several lines, for people. */
    static void printLaidOut(PrintStream out, Map<String, ?> document) {
        try {
            out.println(MAPPER.writerWithDefaultPrettyPrinter().writeValueAsString(document));
        } catch (JsonProcessingException impossible) {
            throw new AssertionError("maps of strings and numbers are JSON", impossible);
        }
    }

    /** One document and nothing behind it, no field of it twice. */
    static JsonNode parse(String text) throws UsageException {
        try {
            return MAPPER.readTree(text);
        } catch (JsonProcessingException wrong) {
            throw new UsageException(
                    "line " + wrong.getLocation().getLineNr() + ", column "
                            + wrong.getLocation().getColumnNr() + ": " + wrong.getOriginalMessage(),
                    "correct the document there");
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
