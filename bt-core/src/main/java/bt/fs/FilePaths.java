package bt.fs;

import static bt.base.Check.checkArgument;

import java.util.regex.Pattern;

/**
 * What a path of a {@link FileStore} looks like: parts of letters, digits, {@code _}, {@code -} and, but not first,
 * {@code .}, parted by {@code /}. So none leads out of the root, and every file system can hold it. The root is "".
 */
public final class FilePaths {
    private static final Pattern PART = Pattern.compile("[A-Za-z0-9_-][A-Za-z0-9_.-]*");

    private FilePaths() {}

    /** The path itself; the root is one. */
    public static String check(String path) {
        if (!path.isEmpty()) {
            for (String part : path.split("/", -1)) {
                checkArgument(PART.matcher(part).matches(), "\"%s\" is not a path: look at \"%s\"", path, part);
            }
        }
        return path;
    }

    /** A path that can be created, renamed and deleted: every one but the root. */
    public static String checkBelowRoot(String path) {
        checkArgument(!path.isEmpty(), "the root itself stays as it is");
        return check(path);
    }

    public static String parent(String path) {
        return path.substring(0, Math.max(path.lastIndexOf('/'), 0));
    }

    public static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
