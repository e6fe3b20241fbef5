package bt.master;

import static bt.base.Check.checkArgument;

/**
 * How long what nobody needs is kept: a dropped table, until it cannot come back any more; a file or log that no row names,
 * from the sweep that first missed it; a row that is marked gone, so that no late write revives it.
 */
public record Graces(long undeleteMillis, long garbageMillis, long goneRowMillis) {
    public static final Graces DEFAULT = new Graces(7 * 86_400_000L, 3_600_000, 86_400_000);

    public Graces {
        checkArgument(
                undeleteMillis >= 0 && garbageMillis > 0 && goneRowMillis > 0,
                "a dropped table is kept for %d ms, a file for %d, a row for %d",
                undeleteMillis,
                garbageMillis,
                goneRowMillis);
    }
}
