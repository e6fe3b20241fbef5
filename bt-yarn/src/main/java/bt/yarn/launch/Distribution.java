package bt.yarn.launch;

import bt.base.RejectedException;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/**
 * The jars that a container needs, out of an unpacked distribution: {@code lib} and {@code lib/hadoop}, not the examples'
 * mini clusters. As one archive that is the same, byte for byte, for the same jars, and so is named by its content. A
 * plain tar: jars are compressed, and a node unpacks it in a third of the time.
 */
public final class Distribution {
    private static final List<String> DIRECTORIES = List.of("lib", "lib/hadoop");

    private final Path home;
    private final List<Path> jars;

    private Distribution(Path home, List<Path> jars) {
        this.home = home;
        this.jars = jars;
    }

    /** The distribution that lies in this directory. REJECTED when there is none. */
    public static Distribution in(Path home) throws IOException {
        List<Path> jars = new ArrayList<>();
        for (String directory : DIRECTORIES) {
            Path path = home.resolve(directory);
            if (!Files.isDirectory(path)) {
                throw new RejectedException(
                        "there is no distribution in " + home + ", " + directory + " is missing", "run bin/bt of one");
            }
            try (Stream<Path> files = Files.list(path)) {
                files.filter(file -> file.toString().endsWith(".jar")).sorted().forEach(jars::add);
            }
        }
        return new Distribution(home, jars);
    }

    /** The SHA-256 of the archive. */
    public String id() throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            try (OutputStream out = new DigestOutputStream(OutputStream.nullOutputStream(), digest)) {
                writeTo(out);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every Java has SHA-256", impossible);
        }
    }

    public long bytes() throws IOException {
        long bytes = 0;
        for (Path jar : jars) {
            bytes += Files.size(jar);
        }
        return bytes;
    }

    void writeTo(OutputStream out) throws IOException {
        try (TarArchiveOutputStream tar = new TarArchiveOutputStream(out)) {
            tar.setLongFileMode(TarArchiveOutputStream.LONGFILE_POSIX);
            for (Path jar : jars) {
                TarArchiveEntry entry = new TarArchiveEntry(home.relativize(jar).toString());
                entry.setSize(Files.size(jar));
                entry.setModTime(0);
                tar.putArchiveEntry(entry);
                try (InputStream in = new BufferedInputStream(Files.newInputStream(jar), 1 << 16)) {
                    in.transferTo(tar);
                }
                tar.closeArchiveEntry();
            }
        }
    }
}
