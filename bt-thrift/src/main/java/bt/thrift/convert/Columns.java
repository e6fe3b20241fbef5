package bt.thrift.convert;

import static bt.thrift.convert.Given.present;
import static bt.thrift.convert.Given.valid;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.ColumnKey;
import bt.thrift.gen.Column;
import org.jspecify.annotations.Nullable;

/** Columns. */
final class Columns {
    private Columns() {}

    static Column of(ColumnKey column) {
        return new Column(column.family(), Binaries.of(column.qualifier()));
    }

    static ColumnKey of(@Nullable Column given) throws RejectedException {
        Column column = present(given, "a column");
        String family = present(column.getFamily(), "the family of a column");
        Bytes qualifier = Binaries.of(present(column.bufferForQualifier(), "the qualifier of a column"));
        return valid(() -> new ColumnKey(family, qualifier));
    }
}
