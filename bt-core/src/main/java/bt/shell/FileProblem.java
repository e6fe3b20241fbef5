package bt.shell;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.util.Optional;

/** What is wrong with a file that a command line names, in words. */
final class FileProblem {
    private FileProblem() {}

    static String of(IOException failure) {
        if (failure instanceof NoSuchFileException || failure instanceof FileNotFoundException) {
            return "there is no such file";
        }
        if (failure instanceof AccessDeniedException) {
            return "the file system lets you not do that";
        }
        if (failure instanceof CharacterCodingException) {
            return "it is not UTF-8";
        }
        if (failure instanceof FileSystemException refused) {
            return Optional.ofNullable(refused.getReason()).orElse(String.valueOf(refused.getMessage()));
        }
        return Optional.ofNullable(failure.getMessage()).orElse(failure.toString());
    }
}
