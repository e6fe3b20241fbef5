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
    private final Runnable step;

    SteppedFiles(FileStore files, Runnable step) {
        this.files = files;
        this.step = step;
    }

    /** What is asked. */
    @FunctionalInterface
    private interface Question<T> {
        T ask() throws BigtableException;
    }

    private <T> T stepped(Question<T> question) throws BigtableException {
        try {
            return question.ask();
        } finally {
            step.run();
        }
    }

    @Override
    public FileWriter create(String path, Placement placement) throws BigtableException {
        return stepped(() -> files.create(path, placement));
    }

    @Override
    public FileReader open(String path) throws BigtableException {
        return stepped(() -> files.open(path));
    }

    @Override
    public void makeDirectory(String path) throws BigtableException {
        boolean unused = stepped(() -> {
            files.makeDirectory(path);
            return true;
        });
    }

    @Override
    public List<FileInfo> list(String directory) throws BigtableException {
        return stepped(() -> files.list(directory));
    }

    @Override
    public void rename(String from, String to) throws BigtableException {
        boolean unused = stepped(() -> {
            files.rename(from, to);
            return true;
        });
    }

    @Override
    public boolean delete(String path) throws BigtableException {
        return stepped(() -> files.delete(path));
    }

    @Override
    public long fence(String path, long timeoutMillis) throws BigtableException, InterruptedException {
        try {
            return files.fence(path, timeoutMillis);
        } finally {
            step.run();
        }
    }

    @Override
    public List<String> hosts(String path) throws BigtableException {
        return stepped(() -> files.hosts(path));
    }
}
