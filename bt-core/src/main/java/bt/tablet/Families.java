package bt.tablet;

import bt.base.RejectedException;
import bt.model.FamilySchema;
import bt.model.TableSchema;
import java.util.stream.Collectors;

/** The families that requests name. */
final class Families {
    private Families() {}

    static FamilySchema named(String name, TableSchema schema) throws RejectedException {
        return schema.family(name)
                .orElseThrow(() -> new RejectedException("table " + schema.name() + " has no family " + name
                        + ": it has "
                        + schema.families().stream().map(FamilySchema::name).collect(Collectors.joining(", "))));
    }
}
