package bt.master;

import bt.base.BigtableException;
import bt.fs.FileInfo;
import bt.fs.FileReader;
import bt.fs.FileStore;
import bt.fs.FileWriter;
import java.util.List;

/** A file store whose every answer, also one that is a failure, is a step of whoever asked: many slow ones are no hang. */
final class SteppedFiles implements FileStore {
    private final FileStore files;
    private final Steps steps;

    SteppedFiles(FileStore files, Runnable step) {
        this.files = files;
        this.steps = new Steps(step);
    }

    @Override
    public FileWriter create(String path, Placement placement) throws BigtableException {
        return steps.answer(() -> files.create(path, placement));
    }

    @Override
    public FileReader open(String path) throws BigtableException {
        return steps.answer(() -> files.open(path));
    }

    @Override
    public void makeDirectory(String path) throws BigtableException {
        steps.done(() -> files.makeDirectory(path));
    }

    @Override
    public List<FileInfo> list(String directory) throws BigtableException {
        return steps.answer(() -> files.list(directory));
    }

    @Override
    public void rename(String from, String to) throws BigtableException {
        steps.done(() -> files.rename(from, to));
    }

    @Override
    public boolean delete(String path) throws BigtableException {
        return steps.answer(() -> files.delete(path));
    }

    @Override
    public long fence(String path, long timeoutMillis) throws BigtableException, InterruptedException {
        try {
            return files.fence(path, timeoutMillis);
        } finally {
            steps.step();
        }
    }

    @Override
    public List<String> hosts(String path) throws BigtableException {
        return steps.answer(() -> files.hosts(path));
    }
}
