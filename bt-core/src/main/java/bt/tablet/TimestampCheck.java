package bt.tablet;

import bt.base.RejectedException;
import bt.model.Change;
import bt.model.ColumnKey;
import bt.model.FamilySchema;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.model.Timestamps;
import java.util.Optional;

/** Whether a write gives timestamps, or leaves them to the server, as the families want it. */
public final class TimestampCheck {
    private TimestampCheck() {}

    /** Of what a client asked for, not of what a reader made of it: an increment is written with a timestamp of ours. */
    public static void check(RowMutation asked, TableSchema schema) throws RejectedException {
        for (Change change : asked.changes()) {
            Optional<ColumnKey> column =
                    change instanceof Change.SetCell set ? Optional.of(set.column()) : change.changed();
            Optional<FamilySchema> family = column.flatMap(key -> schema.family(key.family()));
            if (family.isPresent() && family.get().timestamps() != Timestamps.EITHER) {
                check(change, family.get(), schema);
            }
        }
    }

    private static void check(Change change, FamilySchema family, TableSchema schema) throws RejectedException {
        Optional<Timestamps.Refusal> refusal = family.timestamps().refuses(change);
        if (refusal.isPresent()) {
            throw new RejectedException(
                    "table " + schema.name() + " family " + family.name() + ": "
                            + refusal.get().fact(),
                    refusal.get().advice());
        }
    }
}
