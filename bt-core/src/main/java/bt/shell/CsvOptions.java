package bt.shell;

import bt.base.Messages;
import bt.base.RejectedException;
import bt.command.UsageException;
import bt.model.ColumnKey;
import bt.model.TableSchema;
import bt.shell.transfer.CellFormat;
import bt.shell.transfer.CsvLayout;
import bt.shell.transfer.CsvMapping;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How a file of CSV is to be read. */
final class CsvOptions {
    @Option(
            names = "--key",
            paramLabel = "COLUMN",
            description = "Of CSV: the column, as the first line names it, that row keys stand in.")
    private @Nullable String key;

    @Option(
            names = "--columns",
            split = ",",
            paramLabel = "NAME=FAMILY:QUALIFIER",
            description =
                    "Of CSV, with --key: where the values of columns go. A field that is empty is no cell; one of \"\""
                            + " is an empty value. Columns that are not named are left out.")
    private List<String> columns = new ArrayList<>();

    @Option(
            names = "--timestamp",
            paramLabel = "COLUMN",
            description = "Of CSV, with --key: the column of timestamps, in microseconds since 1970 (default: servers"
                    + " give them).")
    private @Nullable String timestamp;

    @Option(names = "--raw", description = "Of CSV: fields are as they stand, a backslash is a backslash.")
    private boolean raw;

    CsvLayout layout(CellFormat format) throws UsageException {
        boolean mapped = key != null || !columns.isEmpty() || timestamp != null;
        if (format != CellFormat.CSV && (mapped || raw)) {
            throw new UsageException(
                    "--key, --columns, --timestamp and --raw are of CSV", "leave them out for " + format);
        }
        if (!mapped) {
            return new CsvLayout(Optional.empty(), raw);
        }
        if (key == null || columns.isEmpty()) {
            throw new UsageException(
                    "--key and --columns go together",
                    "say in which column the row keys stand, and where" + " the values of others go");
        }
        try {
            return new CsvLayout(Optional.of(CsvMapping.parse(key, Optional.ofNullable(timestamp), columns)), raw);
        } catch (IllegalArgumentException wrong) {
            throw UsageException.of("--columns", wrong, "write FAMILY:QUALIFIER for each");
        }
    }

    /** REJECTED before anything is read, where the table lacks a family. */
    static void checkFamilies(CsvLayout layout, TableSchema schema) throws RejectedException {
        if (layout.mapping().isPresent()) {
            for (ColumnKey column : layout.mapping().get().columns().keySet()) {
                if (schema.family(column.family()).isEmpty()) {
                    throw new RejectedException(
                            "--columns: table " + schema.name() + " has no family " + Messages.name(column.family()),
                            "add it with bt alter, or name one that it has");
                }
            }
        }
    }
}
