package bt.shell.transfer;

import bt.base.Bytes;
import bt.base.Output;
import bt.base.TextLines;
import bt.model.Limits;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Records of a file of CSV (RFC 4180) and their fields. A field in quotes goes on over lines; how far is bounded, for a
 * quote that is not closed would take all that is behind it. One thread.
 */
final class CsvRecords implements Closeable {
    /** Of a line: the largest cell that there can be, with each byte written {@code \xNN}, fits. */
    private static final int MAX_LINE_BYTES =
            4 * (Limits.ROW_BYTES + Limits.QUALIFIER_BYTES + Limits.VALUE_BYTES) + 4096;

    private final TextLines lines;
    private final int maxCharacters;
    /** Of the record, as they stand. */
    private final List<Taken> taken = new ArrayList<>();

    private long first;
    private String line = "";
    /** Where the line's end begins. */
    private int end;

    /** A line, and its bytes where its text is not what they say. */
    private record Taken(String text, Optional<Bytes> foreign) {
        Bytes bytes() {
            return foreign.orElseGet(() -> Bytes.utf8(text));
        }
    }

    /**
     * A field as it is meant.
     *
     * @param quoted whether it stands in quotes, so that an empty one was meant to be a text
     * @param line where it begins
     */
    record Field(String text, boolean quoted, long line) {
        boolean isAbsent() {
            return text.isEmpty() && !quoted;
        }
    }

    CsvRecords(InputStream in) {
        this(new TextLines(in, MAX_LINE_BYTES), Limits.VALUE_BYTES);
    }

    /** @param maxCharacters of a field that goes over several lines */
    CsvRecords(TextLines lines, int maxCharacters) {
        this.lines = lines;
        this.maxCharacters = maxCharacters;
    }

    /** The next record; empty at the end. Behind one that is malformed the next call goes on. */
    Optional<List<Field>> next() throws IOException, MalformedCellException {
        taken.clear();
        if (!takeLine()) {
            return Optional.empty();
        }
        first = lines.number();
        List<Field> fields = new ArrayList<>();
        int at = 0;
        while (true) {
            boolean quoted = at < end && line.charAt(at) == '"';
            long begin = lines.number();
            StringBuilder field = new StringBuilder();
            at = quoted ? readQuoted(at, field) : readPlain(at, field);
            fields.add(new Field(field.toString(), quoted, begin));
            if (at == end) {
                checkText();
                return Optional.of(fields);
            }
            if (line.charAt(at) != ',') {
                throw new MalformedCellException(place(lines.number(), at)
                        + ": a comma or the line's end comes behind a quoted field, in which a quote is doubled");
            }
            at++;
        }
    }

    /** Where the record stands, as in "line 17" or "lines 17 to 19". */
    String place() {
        return taken.size() < 2 ? "line " + lines.number() : "lines " + first + " to " + lines.number();
    }

    /** The record as it stands in the file, without its last line's end. */
    Bytes bytes() {
        Output whole = new Output();
        taken.forEach(line -> whole.raw(line.bytes()));
        Bytes bytes = whole.toBytes();
        return taken.isEmpty() ? bytes : bytes.slice(0, bytes.length() - (line.length() - end));
    }

    @Override
    public void close() throws IOException {
        lines.close();
    }

    /** Of the whole record, so that what follows it is the next one, whatever one of its lines is. */
    private void checkText() throws MalformedCellException {
        for (int i = 0; i < taken.size(); i++) {
            if (taken.get(i).foreign().isPresent()) {
                throw new MalformedCellException(
                        (taken.size() < 2 ? "" : "line " + (first + i) + ", ")
                                + "bytes that are no UTF-8: convert the file, or write them \\xNN where fields do not stand --raw");
            }
        }
    }

    private int readPlain(int from, StringBuilder field) throws MalformedCellException {
        int comma = line.indexOf(',', from);
        int to = comma < 0 ? end : comma;
        int quote = line.indexOf('"', from);
        if (quote >= 0 && quote < to) {
            throw new MalformedCellException(
                    place(lines.number(), quote) + ": a field with a quote stands in quotes, in which it is doubled");
        }
        field.append(line, from, to);
        return to;
    }

    /** @param opening where its quote is */
    private int readQuoted(int opening, StringBuilder field) throws IOException, MalformedCellException {
        long begin = lines.number();
        int at = opening + 1;
        while (true) {
            int quote = line.indexOf('"', at);
            if (quote < 0) {
                field.append(line, at, line.length());
                goOn(begin, opening, field.length());
                at = 0;
            } else {
                field.append(line, at, quote);
                if (!line.startsWith("\"\"", quote)) {
                    return quote + 1;
                }
                field.append('"');
                at = quote + 2;
            }
        }
    }

    /** A field that began there, and has so many characters, goes on with the next line. */
    private void goOn(long begin, int opening, int characters) throws IOException, MalformedCellException {
        boolean fits = characters <= maxCharacters;
        if (!fits || !takeLine()) {
            throw new MalformedCellException(place(begin, opening) + ": the quote that begins here is not closed "
                    + (fits ? "by the end of the file" : "within " + maxCharacters + " characters"));
        }
    }

    private boolean takeLine() throws IOException {
        Optional<String> next = lines.next();
        next.ifPresent(text -> {
            taken.add(new Taken(text, lines.foreign()));
            line = text;
            end = text.length();
            while (end > 0 && (text.charAt(end - 1) == '\n' || text.charAt(end - 1) == '\r')) {
                end--;
            }
        });
        return next.isPresent();
    }

    /** Of a character, within the record. */
    private String place(long number, int index) {
        String character = "character " + (index + 1);
        return taken.size() < 2 ? character : "line " + number + ", " + character;
    }
}
