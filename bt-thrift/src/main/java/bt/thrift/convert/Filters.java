package bt.thrift.convert;

import static bt.thrift.convert.Given.present;
import static bt.thrift.convert.Given.valid;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.FilterText;
import bt.model.Selection;
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
        if (given == null) {
            return Filter.ALL;
        }
        Filter cells = cells(given);
        Filter rest = rest(given);
        return valid(() -> {
            Selection selection = Selection.ALL.passing(cells).then(rest);
            selection = given.isSetAsOf() ? selection.asOf(given.getAsOf()) : selection;
            selection = given.isSetVersions() ? selection.versions(given.getVersions()) : selection;
            return selection.filter();
        });
    }

    /** What versions are counted of. */
    private static Filter cells(bt.thrift.gen.Filter given) throws RejectedException {
        List<Filter> parts = new ArrayList<>();
        if (given.isSetFamilies()) {
            parts.add(families(given.getFamilies()));
        }
        if (given.isSetColumns()) {
            parts.add(columns(given.getColumns()));
        }
        if (given.isSetTimes()) {
            parts.add(times(given.getTimes()));
        }
        if (given.isSetText()) {
            parts.add(valid(() -> FilterText.parse(given.getText())));
        }
        return valid(() -> Filter.chain(parts));
    }

    /** What is asked of the versions that are left. */
    private static Filter rest(bt.thrift.gen.Filter given) throws RejectedException {
        List<Filter> parts = new ArrayList<>();
        if (given.isSetScript()) {
            parts.add(script(given.getScript()));
        }
        if (given.isSetCellsPerRow()) {
            parts.add(valid(() -> new Filter.First(given.getCellsPerRow())));
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
        if (end == Long.MAX_VALUE) {
            // Nothing lies behind it that could be named instead: the highest timestamp would be in no range.
            return new Filter.Times(oldest, end);
        }
        return oldest < end ? new Filter.Times(oldest, end - 1) : Filter.NONE;
    }

    private static Filter script(Script script) throws RejectedException {
        String engine = present(script.getEngine(), "script.engine");
        String source = present(script.getSource(), "script.source");
        Bytes argument = script.isSetArgument() ? Binaries.of(script.bufferForArgument()) : Bytes.EMPTY;
        return valid(() -> new Filter.Script(engine, source, argument));
    }
}
