package bt.examples.demo;

import java.io.BufferedInputStream;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** The {@code .html} entries of a jar, in the jar's order, as a stream gives them. One thread. */
final class JarPages implements Closeable {
    private static final int BUFFER_BYTES = 256 << 10;

    private final ZipInputStream jar;
    private final int limit;
    private int count;
    private String path = "";

    /** At most so many pages. */
    JarPages(InputStream in, int limit) {
        this.jar = new ZipInputStream(new BufferedInputStream(in, BUFFER_BYTES));
        this.limit = limit;
    }

    /** Goes to the next page; false after the last. */
    boolean next() throws IOException {
        if (count == limit) {
            return false;
        }
        for (ZipEntry entry = jar.getNextEntry(); entry != null; entry = jar.getNextEntry()) {
            if (!entry.isDirectory() && entry.getName().endsWith(".html")) {
                count++;
                path = entry.getName();
                return true;
            }
        }
        return false;
    }

    String path() {
        return path;
    }

    /** Once for each page. */
    byte[] html() throws IOException {
        return jar.readAllBytes();
    }

    @Override
    public void close() throws IOException {
        jar.close();
    }
}
