package bt.shell.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.TextLines;
import bt.shell.transfer.CsvRecords.Field;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class CsvRecordsTest {
    private static final String MARK = "\uFEFF";

    @Test
    void linesEndInEveryWayAndTheLastNeedsNone() throws Exception {
        assertThat(all("a,b\nc\rd\r\n\ne")).containsExactly("a|b", "c", "d", "", "e");
        assertThat(all("")).isEmpty();
        assertThat(all("\r")).containsExactly("");
    }

    @Test
    void aFieldInQuotesHoldsLineEndsAsTheyStand() throws Exception {
        assertThat(all("\"a\nb\r\nc\rd\",\"e\"\"\n\"\nf")).containsExactly("'a\nb\r\nc\rd'|'e\"\n'", "f");
    }

    @Test
    void aByteOrderMarkIsSkippedOnceAndAtTheBeginning() throws Exception {
        assertThat(all(MARK + "a\n" + MARK + "b")).containsExactly("a", MARK + "b");
        assertThat(all(MARK + MARK + "a")).containsExactly(MARK + "a");
        assertThat(all(MARK + "\"a\"")).containsExactly("'a'");
    }

    @Test
    void aRecordIsToldWithItsLinesAndItsText() throws Exception {
        CsvRecords records = records("a\r\n\"b\r\nc\nd\",e\r\nf", 100, 100);
        assertThat(records.next()).isPresent();
        assertThat(records.place() + " " + records.bytes().toUtf8()).isEqualTo("line 1 a");
        assertThat(records.next().orElseThrow()).extracting(Field::line).containsExactly(2L, 4L);
        assertThat(records.place() + " " + records.bytes().toUtf8()).isEqualTo("lines 2 to 4 \"b\r\nc\nd\",e");
        assertThat(records.next()).isPresent();
        assertThat(records.place() + " " + records.bytes().toUtf8()).isEqualTo("line 5 f");
        assertThat(records.next()).isEmpty();
    }

    @Test
    void aFieldGoesOverLinesAsFarAsItMay() throws Exception {
        String most = "\"12345\n789\n\"";
        assertThat(records(most, 100, 10).next()).isPresent();
        CsvRecords beyond = records("\"12345\n7890\n\"\nnext", 100, 10);
        assertThatThrownBy(beyond::next)
                .hasMessage("line 1, character 1: the quote that begins here is not closed within 10 characters");
        assertThat(beyond.place()).isEqualTo("lines 1 to 2");
        assertThat(records("\"123456789012345\"", 100, 10).next()).isPresent();
    }

    @Test
    void aLineHasSoManyBytesAndNoMore() throws Exception {
        assertThat(records("123456789\n\u00e9\n", 10, 10).next()).isPresent();
        CsvRecords records = records("a\n1234567890\n", 10, 10);
        assertThat(records.next()).isPresent();
        assertThatThrownBy(records::next).isInstanceOf(IOException.class).hasMessage("a line of more than 10 bytes");
        assertThat(records.place()).isEqualTo("line 2");
        String longerThanItsBuffer = "x".repeat(200_000);
        assertThat(all(longerThanItsBuffer + "\r\ny")).containsExactly(longerThanItsBuffer, "y");
    }

    /** A carriage return at the end of what was read at once, and its line feed at the beginning of the next. */
    @Test
    void aLineEndThatIsReadInTwoPartsIsOne() throws Exception {
        String line = "x".repeat((1 << 16) - 1);
        assertThat(all(line + "\r\ny")).containsExactly(line, "y");
        assertThat(all(line + "\ry")).containsExactly(line, "y");
    }

    @Test
    void theSignForWhatIsNoTextIsText() throws Exception {
        assertThat(all("\uFFFD")).containsExactly("\uFFFD");
        byte[] half = {'a', '\n', (byte) 0xc3};
        CsvRecords records = new CsvRecords(new ByteArrayInputStream(half));
        assertThat(records.next()).isPresent();
        assertThatThrownBy(records::next)
                .isInstanceOf(MalformedCellException.class)
                .hasMessageStartingWith("bytes that are no UTF-8");
        assertThat(records.place()).isEqualTo("line 2");
    }

    /** What would be in the middle of a value is no record of its own. */
    @Test
    void behindARecordWithBytesThatAreNoUtf8TheNextOneIsRead() throws Exception {
        byte[] file = "a,\"b\r\n?\nc,d\",e\r\nf\n".getBytes(StandardCharsets.UTF_8);
        file[6] = (byte) 0xff;
        CsvRecords records = new CsvRecords(new ByteArrayInputStream(file));
        assertThatThrownBy(records::next)
                .isInstanceOf(MalformedCellException.class)
                .hasMessageStartingWith("line 2, bytes that are no UTF-8");
        assertThat(records.place()).isEqualTo("lines 1 to 3");
        assertThat(records.bytes()).isEqualTo(Bytes.copyOf(file, 0, 14));
        assertThat(records.next().orElseThrow()).extracting(Field::text).containsExactly("f");
        assertThat(records.place()).isEqualTo("line 4");
    }

    /** Of each record its fields, those in quotes with quotes around them. */
    private static List<String> all(String text) throws Exception {
        List<String> all = new ArrayList<>();
        try (CsvRecords records = records(text, 1 << 20, 1 << 20)) {
            for (Optional<List<Field>> next = records.next(); next.isPresent(); next = records.next()) {
                all.add(String.join(
                        "|",
                        next.get().stream()
                                .map(field -> field.quoted() ? "'" + field.text() + "'" : field.text())
                                .toList()));
            }
        }
        return all;
    }

    private static CsvRecords records(String text, int maxLineBytes, int maxCharacters) {
        ByteArrayInputStream in = new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8));
        return new CsvRecords(new TextLines(in, maxLineBytes), maxCharacters);
    }
}
