package bt.shell.transfer;

import java.io.IOException;
import java.io.InputStream;
import java.util.Optional;

/**
 * How cells stand in a file of CSV.
 *
 * @param mapping what its columns are where it is somebody else's; the layout of exports without one
 * @param raw whether fields are taken as they stand, a backslash as itself
 */
public record CsvLayout(Optional<CsvMapping> mapping, boolean raw) {
    /** As it is exported. */
    public static final CsvLayout OWN = new CsvLayout(Optional.empty(), false);

    /** Reads a file's beginning, as {@link CellFormat#reader} does: IOException and MalformedCellException alike. */
    public CellReader reader(InputStream in) throws IOException, MalformedCellException {
        return new CsvReader(
                in, mapping.<CsvReader.Meaning>map(MappedCells::new).orElseGet(ExportedCells::new), raw);
    }
}
