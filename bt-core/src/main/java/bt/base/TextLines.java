package bt.base;

import java.io.ByteArrayOutputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Lines of a file in UTF-8, each with what ends it: a line feed, a carriage return or both. A byte order mark before the
 * first is none of the text. One thread.
 */
public final class TextLines implements Closeable {
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final InputStream in;
    private final int maxBytes;
    private final byte[] buffer = new byte[1 << 16];
    private int next;
    private int end;
    private long number;
    private Optional<Bytes> foreign = Optional.empty();

    /** @param maxBytes of a line; a file with a longer one is refused, for it would have to be in memory */
    public TextLines(InputStream in, int maxBytes) {
        this.in = in;
        this.maxBytes = maxBytes;
    }

    /** Empty at the end. A line that is longer than any command or cell is a {@link LongLineException}. */
    public Optional<String> next() throws IOException {
        ByteArrayOutputStream line;
        try {
            line = line();
        } catch (IOException unreadable) {
            number++;
            throw unreadable;
        }
        if (line.size() == 0) {
            return Optional.empty();
        }
        number++;
        String text = line.toString(StandardCharsets.UTF_8);
        foreign = isForeign(text, line) ? Optional.of(Bytes.wrap(line.toByteArray())) : Optional.empty();
        return Optional.of(
                number == 1 && text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text);
    }

    private ByteArrayOutputStream line() throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        boolean ended = false;
        while (!ended && there()) {
            int from = next;
            while (next < end && !isEnd(buffer[next])) {
                next++;
            }
            ended = next < end;
            boolean mayGoOn = ended && buffer[next] == '\r';
            next += ended ? 1 : 0;
            line.write(buffer, from, next - from);
            if (mayGoOn && there() && buffer[next] == '\n') {
                next++;
                line.write('\n');
            }
            if (line.size() > maxBytes) {
                throw new LongLineException(maxBytes);
            }
        }
        return line;
    }

    /** Of the last line, from 1, also of one that could not be read; 0 before the first. */
    public long number() {
        return number;
    }

    /**
     * The bytes of the last line, with its end, where some of them are no UTF-8: its text has other signs in their places,
     * and a key that is read as something else would be another key.
     */
    public Optional<Bytes> foreign() {
        return foreign;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private static boolean isEnd(byte b) {
        return b == '\n' || b == '\r';
    }

    /** Whether there is one more byte, which is at {@link #next} of the buffer then. */
    private boolean there() throws IOException {
        if (next == end) {
            next = 0;
            end = Math.max(0, in.read(buffer, 0, buffer.length));
        }
        return next < end;
    }

    private static boolean isForeign(String text, ByteArrayOutputStream line) {
        // That sign stands for bytes that are no UTF-8, or for itself.
        if (text.indexOf('\uFFFD') < 0) {
            return false;
        }
        try {
            StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(line.toByteArray()));
            return false;
        } catch (CharacterCodingException foreign) {
            return true;
        }
    }
}
