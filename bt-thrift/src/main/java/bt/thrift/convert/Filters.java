package bt.thrift.convert;

import static bt.thrift.convert.Given.present;
import static bt.thrift.convert.Given.valid;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.thrift.gen.Column;
import bt.thrift.gen.Script;
import bt.thrift.gen.TimeRange;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Filters, which only ever come in. */
public final class Filters {
    private Filters() {}

    /** The parts that are there, in the order that the interface promises; absent lets everything pass. */
    public static Filter of(bt.thrift.gen.@Nullable Filter given) throws RejectedException {
        List<Filter> parts = new ArrayList<>();
        if (given != null) {
            if (given.isSetFamilies()) {
                parts.add(new Filter.Families(given.getFamilies()));
            }
            if (given.isSetColumns()) {
                parts.add(columns(given.getColumns()));
            }
            if (given.isSetTimes()) {
                parts.add(times(given.getTimes()));
            }
            if (given.isSetVersions()) {
                parts.add(valid(() -> new Filter.Latest(given.getVersions())));
            }
            if (given.isSetScript()) {
                parts.add(script(given.getScript()));
            }
        }
        return parts.isEmpty() ? Filter.ALL : parts.size() == 1 ? parts.get(0) : new Filter.Chain(parts);
    }

    private static Filter columns(List<Column> given) throws RejectedException {
        List<ColumnKey> columns = new ArrayList<>();
        for (Column column : given) {
            columns.add(Columns.of(column));
        }
        return new Filter.Columns(columns);
    }

    private static Filter times(TimeRange times) throws RejectedException {
        Given.set(times.isSetOldest(), "times.oldest");
        Given.set(times.isSetNewest(), "times.newest");
        return new Filter.Times(times.getOldest(), times.getNewest());
    }

    private static Filter script(Script script) throws RejectedException {
        return new Filter.Script(
                present(script.getEngine(), "script.engine"),
                present(script.getSource(), "script.source"),
                script.isSetArgument() ? Binaries.of(script.bufferForArgument()) : Bytes.EMPTY);
    }
}
