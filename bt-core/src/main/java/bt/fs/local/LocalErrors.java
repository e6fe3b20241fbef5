package bt.fs.local;

import bt.base.BigtableException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;

/** What the operating system says, as one of the five kinds. */
final class LocalErrors {
    private LocalErrors() {}

    static BigtableException of(String path, IOException error) {
        if (error instanceof BigtableException known) {
            return known;
        }
        if (error instanceof FileAlreadyExistsException) {
            return new RejectedException(path + ": exists already", "choose another name").causedBy(error);
        }
        if (error instanceof NoSuchFileException) {
            return new UnavailableException(path + ": there is no such file or directory").causedBy(error);
        }
        return new UnavailableException(path + ": " + error).causedBy(error);
    }
}
