package bt.log;

import static bt.base.Check.checkArgument;

import bt.base.Bytes;
import bt.base.Crc32c;
import bt.base.Output;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * One of the logs of one tablet server: {@code log/<epoch>/user-0000000001} and its followers while the server lives,
 * below {@code recovered} afterwards. Two streams of a server share a directory and nothing else.
 */
public record LogStream(String root, long epoch, String name) {
    /** Root of the logs of servers that live. */
    public static final String LIVE = "log";

    /** Root of the logs of servers that were declared dead. */
    public static final String RECOVERED = "recovered";

    /** The log of METADATA's tablets. */
    public static final String METADATA = "metadata";

    /** The log of all other tablets. */
    public static final String USER = "user";

    static final int MAX_NAME_BYTES = 32;
    private static final int NUMBER_DIGITS = 10;
    private static final Pattern NAME = Pattern.compile("[a-z]{1," + MAX_NAME_BYTES + "}");

    public LogStream {
        checkArgument(NAME.matcher(name).matches(), "log stream \"%s\": 1 to %d small letters", name, MAX_NAME_BYTES);
        checkArgument(epoch >= 0, "epoch %d", epoch);
    }

    public String directory() {
        return root + "/" + epoch;
    }

    /** Where a segment lies; they are numbered from 1. */
    public String path(long segment) {
        String digits = Long.toString(segment);
        String zeros = "0".repeat(Math.max(0, NUMBER_DIGITS - digits.length()));
        return directory() + "/" + name + "-" + zeros + digits;
    }

    /** The number of the segment that a file of the directory is, if it is one of this stream. */
    public OptionalLong segmentOf(String fileName) {
        String prefix = name + "-";
        return fileName.length() == prefix.length() + NUMBER_DIGITS
                        && fileName.startsWith(prefix)
                        && fileName.substring(prefix.length()).matches("[0-9]+")
                ? OptionalLong.of(Long.parseLong(fileName.substring(prefix.length())))
                : OptionalLong.empty();
    }

    /**
     * What the checksums of a segment are mixed with. A disk that lost power may show blocks of a deleted file at the
     * end of a younger one; their checksums fit their own segment only.
     */
    int salt(long segment) {
        Output identity = new Output().u64(epoch).u64(segment).raw(Bytes.utf8(name));
        return Crc32c.of(identity.array(), 0, identity.size());
    }
}
