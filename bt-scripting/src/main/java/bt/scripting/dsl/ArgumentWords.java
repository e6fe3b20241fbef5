package bt.scripting.dsl;

import bt.base.Bytes;

/** The word {@code argument}: what the caller sent beside the script, as text and as bytes. */
public record ArgumentWords(Bytes bytes, String text) {
    public static ArgumentWords of(Bytes bytes) {
        return new ArgumentWords(bytes, bytes.toUtf8());
    }
}
