package bt.tablet;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.script.CompiledScript.CellScript;
import bt.script.ScriptBudget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link Filter} at work on the cells of one page, which it is shown in order, where they lie. One thread. */
interface CellFilter {
    /** About the version that the read stands at. */
    boolean keeps(VersionFilter version) throws RejectedException;

    /** REJECTED when a script does not compile. Families and columns are a {@link Projection}'s to choose. */
    static CellFilter of(Filter filter, Scripts scripts, ScriptBudget budget) throws RejectedException {
        return switch (filter.kind()) {
            case ALL, FAMILIES, COLUMNS -> version -> true;
            case LATEST -> new Latest(((Filter.Latest) filter).count());
            case TIMES -> {
                Filter.Times times = (Filter.Times) filter;
                yield version -> version.timestamp() >= times.oldest() && version.timestamp() < times.newest();
            }
            case SCRIPT -> {
                Filter.Script script = (Filter.Script) filter;
                CellScript opened = scripts.compiled(script).open(script.argument(), budget);
                yield version -> opened.keeps(version.cell());
            }
            case CHAIN -> {
                List<CellFilter> parts = new ArrayList<>();
                for (Filter part : ((Filter.Chain) filter).filters()) {
                    parts.add(of(part, scripts, budget));
                }
                yield new Chain(parts);
            }
        };
    }

    /** The first so many cells of each column that it is shown. */
    final class Latest implements CellFilter {
        private final int count;
        private int kept;
        private Bytes row = Bytes.EMPTY;
        private @Nullable ColumnKey column;

        Latest(int count) {
            this.count = count;
        }

        @Override
        public boolean keeps(VersionFilter version) {
            if (!version.column().equals(column) || !version.row().equals(row)) {
                row = version.row();
                column = version.column();
                kept = 0;
            }
            return kept++ < count;
        }
    }

    /** Each part is shown what the one before it kept. */
    record Chain(List<CellFilter> parts) implements CellFilter {
        @Override
        public boolean keeps(VersionFilter version) throws RejectedException {
            for (CellFilter part : parts) {
                if (!part.keeps(version)) {
                    return false;
                }
            }
            return true;
        }
    }
}
