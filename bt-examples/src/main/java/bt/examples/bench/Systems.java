package bt.examples.bench;

import bt.base.DirectoryTree;
import bt.examples.bench.Engine.Session;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Opens both systems over one directory, fills them, and removes what they leave. One thread. */
final class Systems {
    static final List<String> NAMES = List.of("bt", "rocksdb");

    private final Path directory;
    private int opened;

    Systems(Path directory) {
        this.directory = directory;
    }

    /** An empty engine of this name in a directory of its own. */
    Engine open(String system, EngineOptions options, Entries entries) throws Exception {
        Path own = Files.createDirectories(directory.resolve(system + "-" + ++opened));
        EngineOptions there = options.in(own);
        return system.equals("bt") ? new BtEngine(there, entries) : new RocksEngine(there, entries);
    }

    /** Writes all entries from this thread, into so many files of about one size, which overlap. */
    static void load(Engine engine, Entries entries, int batchEntries, int files) throws Exception {
        for (int file = 0; file < files; file++) {
            write(engine, entries, batchEntries, new Part(file, files));
            engine.flush();
        }
    }

    /** Writes all entries from this thread; into memory, as far as there is room. */
    static void write(Engine engine, Entries entries, int batchEntries) throws Exception {
        write(engine, entries, batchEntries, new Part(0, 1));
    }

    /** Of all batches every {@code of}-th, from batch {@code first} on. */
    record Part(int first, int of) {}

    private static void write(Engine engine, Entries entries, int batchEntries, Part part) throws Exception {
        try (Session session = engine.session()) {
            for (int at = part.first() * batchEntries; at < entries.count(); at += part.of() * batchEntries) {
                session.write(at, Math.min(batchEntries, entries.count() - at));
            }
        }
    }

    /** Removes all files of all engines. */
    void clear() throws IOException {
        DirectoryTree.empty(directory);
    }
}
