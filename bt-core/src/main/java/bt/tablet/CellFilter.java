package bt.tablet;

import bt.base.RejectedException;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.script.ScriptBudget;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A {@link Filter} at work on the cells of one page, which it is shown in order. One thread. */
interface CellFilter {
    boolean keeps(Cell cell) throws RejectedException;

    /** REJECTED when a script does not compile. Families and columns are a {@link Projection}'s to choose. */
    static CellFilter of(Filter filter, Scripts scripts, ScriptBudget budget) throws RejectedException {
        return switch (filter.kind()) {
            case ALL, FAMILIES, COLUMNS -> cell -> true;
            case LATEST -> new Latest(((Filter.Latest) filter).count());
            case TIMES -> {
                Filter.Times times = (Filter.Times) filter;
                yield cell -> cell.timestamp() >= times.oldest() && cell.timestamp() < times.newest();
            }
            case SCRIPT -> {
                Filter.Script script = (Filter.Script) filter;
                yield scripts.compiled(script).open(script.argument(), budget)::keeps;
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
        private @Nullable Cell last;

        Latest(int count) {
            this.count = count;
        }

        @Override
        public boolean keeps(Cell cell) {
            if (last == null || !isSameColumn(last, cell)) {
                kept = 0;
            }
            last = cell;
            return kept++ < count;
        }

        private static boolean isSameColumn(Cell a, Cell b) {
            ColumnKey column = a.column();
            return column.equals(b.column()) && a.row().equals(b.row());
        }
    }

    /** Each part is shown what the one before it kept. */
    record Chain(List<CellFilter> parts) implements CellFilter {
        @Override
        public boolean keeps(Cell cell) throws RejectedException {
            for (CellFilter part : parts) {
                if (!part.keeps(cell)) {
                    return false;
                }
            }
            return true;
        }
    }
}
