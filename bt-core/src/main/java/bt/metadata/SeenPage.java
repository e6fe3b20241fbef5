package bt.metadata;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.model.Cell;
import bt.model.Row;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Rows of METADATA that follow each other, none left out but those marked gone, and the key where the next begin. */
public record SeenPage(List<SeenRow> rows, Optional<Bytes> next) {
    public SeenPage {
        rows = List.copyOf(rows);
    }

    static SeenPage of(TabletsHome.Raw page) {
        List<SeenRow> seen = new ArrayList<>();
        for (Row row : page.rows()) {
            long changed = row.cells().stream()
                    .filter(cell -> cell.column().family().equals(MetadataSchema.EVENTS))
                    .mapToLong(Cell::timestamp)
                    .max()
                    .orElse(0L);
            try {
                MetadataRow decoded = MetadataRowCodec.decode(row);
                if (!decoded.gone()) {
                    seen.add(new SeenRow(row.key(), Optional.of(decoded), "", changed));
                }
            } catch (CorruptionException damaged) {
                seen.add(new SeenRow(row.key(), Optional.empty(), damaged.getMessage(), changed));
            }
        }
        return new SeenPage(seen, page.next());
    }
}
