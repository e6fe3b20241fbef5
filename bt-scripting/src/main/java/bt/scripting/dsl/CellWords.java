package bt.scripting.dsl;

import bt.base.Bytes;
import bt.model.Cell;
import org.jspecify.annotations.Nullable;

/** The word {@code cell}: the cell that the script decides about. Texts are decoded when first asked for. */
public final class CellWords {
    private final Cell cell;
    private @Nullable String row;
    private @Nullable String qualifier;
    private @Nullable String text;

    public CellWords(Cell cell) {
        this.cell = cell;
    }

    String row() {
        String decoded = row;
        if (decoded == null) {
            decoded = cell.row().toUtf8();
            row = decoded;
        }
        return decoded;
    }

    String family() {
        return cell.column().family();
    }

    String qualifier() {
        String decoded = qualifier;
        if (decoded == null) {
            decoded = cell.column().qualifier().toUtf8();
            qualifier = decoded;
        }
        return decoded;
    }

    String text() {
        String decoded = text;
        if (decoded == null) {
            decoded = cell.value().toUtf8();
            text = decoded;
        }
        return decoded;
    }

    Bytes rowBytes() {
        return cell.row();
    }

    Bytes qualifierBytes() {
        return cell.column().qualifier();
    }

    Bytes value() {
        return cell.value();
    }

    long timestamp() {
        return cell.timestamp();
    }
}
