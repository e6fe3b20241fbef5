package bt.thrift.convert;

import static bt.thrift.convert.Given.present;
import static bt.thrift.convert.Given.valid;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.FilterText;
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
                parts.add(families(given.getFamilies()));
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
            if (given.isSetText()) {
                parts.add(valid(() -> FilterText.parse(given.getText())));
            }
            if (given.isSetAsOf()) {
                parts.add(new Filter.Times(Long.MIN_VALUE, given.getAsOf()));
                parts.add(new Filter.Latest(1));
            }
            if (given.isSetCellsPerRow()) {
                parts.add(valid(() -> new Filter.First(given.getCellsPerRow())));
            }
        }
        return valid(() -> Filter.chain(parts));
    }

    /** A list without an element names nothing, so nothing passes. */
    private static Filter families(List<String> names) throws RejectedException {
        return names.isEmpty() ? Filter.NONE : valid(() -> new Filter.Families(names));
    }

    private static Filter columns(List<Column> given) throws RejectedException {
        List<ColumnKey> columns = new ArrayList<>();
        for (Column column : given) {
            columns.add(Columns.of(column));
        }
        return columns.isEmpty() ? Filter.NONE : valid(() -> new Filter.Columns(columns));
    }

    private static Filter times(TimeRange times) throws RejectedException {
        Given.set(times.isSetOldest(), "times.oldest");
        Given.set(times.isSetNewest(), "times.newest");
        long oldest = times.getOldest();
        long end = times.getNewest();
        return oldest < end ? new Filter.Times(oldest, end - 1) : Filter.NONE;
    }

    private static Filter script(Script script) throws RejectedException {
        String engine = present(script.getEngine(), "script.engine");
        String source = present(script.getSource(), "script.source");
        Bytes argument = script.isSetArgument() ? Binaries.of(script.bufferForArgument()) : Bytes.EMPTY;
        return valid(() -> new Filter.Script(engine, source, argument));
    }
}
