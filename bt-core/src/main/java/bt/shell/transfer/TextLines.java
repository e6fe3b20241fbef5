package bt.shell.transfer;

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
final class TextLines implements Closeable {
    private static final String BYTE_ORDER_MARK = "\uFEFF";

    private final InputStream in;
    private final int maxBytes;
    private final byte[] buffer = new byte[1 << 16];
    private int next;
    private int end;
    private long number;

    /** @param maxBytes of a line; a file with a longer one is refused, for it would have to be in memory */
    TextLines(InputStream in, int maxBytes) {
        this.in = in;
        this.maxBytes = maxBytes;
    }

    /** Empty at the end. */
    Optional<String> next() throws IOException {
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
                throw new IOException("line " + (number + 1) + " has more than " + maxBytes + " bytes");
            }
        }
        if (line.size() == 0) {
            return Optional.empty();
        }
        number++;
        String text = text(line);
        return Optional.of(
                number == 1 && text.startsWith(BYTE_ORDER_MARK) ? text.substring(BYTE_ORDER_MARK.length()) : text);
    }

    /** Of the last line, from 1; 0 before the first. */
    long number() {
        return number;
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

    private String text(ByteArrayOutputStream line) throws IOException {
        String text = line.toString(StandardCharsets.UTF_8);
        // That sign stands for bytes that are no UTF-8, or for itself. A key that was read as something else would be
        // another key.
        if (text.indexOf('\uFFFD') >= 0) {
            try {
                StandardCharsets.UTF_8
                        .newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .decode(ByteBuffer.wrap(line.toByteArray()));
            } catch (CharacterCodingException foreign) {
                throw new IOException(
                        "in line " + number + " are bytes that are no UTF-8: write them \\xNN, or convert the file",
                        foreign);
            }
        }
        return text;
    }
}
