package bt.scripting.dsl;

import org.jspecify.annotations.Nullable;

/** What a compiled filter script is. It has no state, so one instance serves all reads. */
public abstract class CellFilter {
    /** The value of the script's last statement; its {@linkplain Operators#truth truth} keeps the cell. */
    public abstract @Nullable Object keeps(Meter meter, Object cell, Object argument);
}
