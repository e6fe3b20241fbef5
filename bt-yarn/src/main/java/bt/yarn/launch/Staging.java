package bt.yarn.launch;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/**
 * Where containers fetch what they need, {@code .bt} in the user's home in HDFS: distributions, which clusters share and
 * which stay, and one directory for each application.
 */
public final class Staging {
    private final FileSystem files;
    private final Path directory;

    private Staging(FileSystem files) {
        this.files = files;
        this.directory = new Path(files.getHomeDirectory(), ".bt");
    }

    /** On the file system that this path lies on. */
    public static Staging on(Path path, Configuration hadoop) throws IOException {
        return new Staging(path.getFileSystem(hadoop));
    }

    public FileSystem files() {
        return files;
    }

    /** The archive of a distribution with this id. */
    public Path archive(String id) {
        return new Path(directory, "distributions/" + id + ".tar");
    }

    /** What belongs to one application: deleted when it has ended. */
    public Path application(String id) {
        return new Path(directory, "applications/" + id);
    }

    public boolean has(Path path) throws IOException {
        return files.exists(path);
    }

    /** Writes the archive unless it is there. Under its name it is whole: two that upload at once write the same. */
    public Path upload(Distribution distribution) throws IOException {
        Path archive = archive(distribution.id());
        if (files.exists(archive)) {
            return archive;
        }
        Path unfinished = new Path(
                archive.getParent(),
                archive.getName() + "." + ProcessHandle.current().pid());
        try (OutputStream out = files.create(unfinished, true)) {
            distribution.writeTo(out);
        }
        if (!files.rename(unfinished, archive)) {
            files.delete(unfinished, false);
        }
        return archive;
    }

    /** Writes the configuration that every process of the application reads; the directory it lies in. */
    public Path configure(String application, Map<String, String> settings, Configuration hadoop) throws IOException {
        Path site = application(application);
        Properties properties = new Properties();
        new TreeMap<>(settings).forEach(properties::setProperty);
        try (OutputStream out = files.create(new Path(site, ContainerFiles.SETTINGS), true)) {
            properties.store(out, null);
        }
        try (OutputStream out = files.create(new Path(site, ContainerFiles.HADOOP), true)) {
            hadoop.writeXml(out);
        }
        try (OutputStream out = files.create(new Path(site, ContainerFiles.LOGGING), true);
                InputStream in = Staging.class.getResourceAsStream("/" + ContainerFiles.LOGGING)) {
            if (in != null) {
                in.transferTo(out);
            }
        }
        return site;
    }

    public void delete(String application) throws IOException {
        files.delete(application(application), true);
    }
}
