package bt.shell.transfer;

import bt.base.RejectedException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Locale;

/** A format of files with cells. */
public enum CellFormat {
    CSV {
        @Override
        public CellWriter writer(OutputStream out) {
            return new CsvCellWriter(out);
        }

        @Override
        public CellReader reader(InputStream in) throws IOException, MalformedCellException {
            return CsvLayout.OWN.reader(in);
        }
    },
    AVRO {
        @Override
        public CellWriter writer(OutputStream out) throws IOException {
            return new AvroCellWriter(out);
        }

        @Override
        public CellReader reader(InputStream in) throws IOException, MalformedCellException {
            return new AvroCellReader(in);
        }
    };

    /** Begins a file; the stream is closed with the writer. IOException where it cannot be written. */
    public abstract CellWriter writer(OutputStream out) throws IOException;

    /**
     * Reads a file's beginning; the stream is closed with the reader. IOException where it cannot be read, and
     * {@link MalformedCellException} where it begins as no such file does.
     */
    public abstract CellReader reader(InputStream in) throws IOException, MalformedCellException;

    /** What a file's name ends with; REJECTED for any other end. */
    public static CellFormat of(Path file) throws RejectedException {
        String name = file.toString().toLowerCase(Locale.ROOT);
        for (CellFormat format : values()) {
            if (name.endsWith("." + format.name().toLowerCase(Locale.ROOT))) {
                return format;
            }
        }
        throw new RejectedException(
                file + ": the name ends neither with .csv nor with .avro", "say which with --format");
    }
}
