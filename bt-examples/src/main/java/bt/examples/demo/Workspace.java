package bt.examples.demo;

import bt.base.DirectoryTree;
import bt.base.RejectedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/** The directory that a run of the demo keeps everything in: configuration, data, logs, report. */
record Workspace(Path home, Path directory) {
    private static final String MARK = "made-by-bt-demo";

    /** {@code target/demo} of a checkout; of an unpacked distribution {@code bt-demo} where the user stands. */
    static Workspace of(Path home) {
        Path real = home.toAbsolutePath().normalize();
        Path target = real.getParent();
        if (target != null && target.endsWith("target") && Files.exists(target.resolveSibling("pom.xml"))) {
            return new Workspace(real, target.resolve("demo"));
        }
        return new Workspace(real, Path.of("bt-demo").toAbsolutePath());
    }

    /** Deletes what the run before left; REJECTED when the directory is somebody else's. */
    void wipe() throws IOException {
        if (Files.isDirectory(directory)) {
            if (!Files.exists(directory.resolve(MARK)) && !isEmpty()) {
                throw new RejectedException(directory + " is there and is not the demo's", "move it away");
            }
            DirectoryTree.delete(directory);
        }
        Files.createDirectories(conf());
        Files.createDirectories(logs());
        Files.createFile(directory.resolve(MARK));
    }

    /** Of Hadoop's clients and of bt's: a directory for {@code HADOOP_CONF_DIR} and {@code BT_CONF_DIR}. */
    Path conf() {
        return directory.resolve("conf");
    }

    Path logs() {
        return directory.resolve("logs");
    }

    Path log(String process) {
        return logs().resolve(process + ".log");
    }

    Path report() {
        return directory.resolve("report.json");
    }

    /** The processes that the run has started. */
    Path processes() {
        return directory.resolve("processes");
    }

    /** Made when it is first asked for. */
    Path data(String process) throws IOException {
        return Files.createDirectories(directory.resolve(process));
    }

    /** Deletes what nobody asks for after a good end: the data. Configuration, logs and report stay. */
    void deleteData() throws IOException {
        try (Stream<Path> entries = Files.list(directory)) {
            for (Path entry : entries.filter(Files::isDirectory).toList()) {
                if (!entry.equals(conf()) && !entry.equals(logs())) {
                    DirectoryTree.delete(entry);
                }
            }
        }
    }

    private boolean isEmpty() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.findAny().isEmpty();
        }
    }
}
