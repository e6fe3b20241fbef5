package bt.sstable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/**
 * By what files tell the garbage-collection rules of their families: a rule's text where that is short, and else {@code #} and a digest of it. Rules are
 * only compared, and one may be thousands of characters, of each family of each file.
 */
public final class RuleMark {
    static final int MAX_LENGTH = 64;

    /** So many are never the same of two texts, nor is a mark of them longer than a mark may be: the mark of a mark is the same. */
    private static final int DIGEST_BYTES = 24;

    private RuleMark() {}

    /** Of a text, which does not begin with {@code #}, or of a mark. */
    public static String of(String text) {
        return text.length() <= MAX_LENGTH ? text : "#" + digest(text);
    }

    private static String digest(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, DIGEST_BYTES);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
