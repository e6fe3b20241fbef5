package bt.base;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/** A directory of this machine and all that is below it. */
public final class DirectoryTree {
    private DirectoryTree() {}

    /** Deletes it. A file is a tree without branches. */
    public static void delete(Path tree) throws IOException {
        try (Stream<Path> all = Files.walk(tree)) {
            for (Path deepestFirst : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.deleteIfExists(deepestFirst);
            }
        }
    }

    /** Deletes what is below it. */
    public static void empty(Path tree) throws IOException {
        try (Stream<Path> below = Files.list(tree)) {
            for (Path branch : below.toList()) {
                delete(branch);
            }
        }
    }
}
