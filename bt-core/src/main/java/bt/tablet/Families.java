package bt.tablet;

import bt.base.Messages;
import bt.base.RejectedException;
import bt.model.FamilySchema;
import bt.model.TableSchema;
import java.util.stream.Collectors;

/** The families that requests name. */
final class Families {
    /** A table may have thousands, and a request as many writes that name none of them. */
    private static final int TOLD = 20;

    private Families() {}

    static FamilySchema named(String name, TableSchema schema) throws RejectedException {
        return schema.family(name)
                .orElseThrow(() -> new RejectedException(
                        "table " + schema.name() + " has no family " + Messages.name(name) + ": it has "
                                + families(schema),
                        "name one that it has, or add it"));
    }

    private static String families(TableSchema schema) {
        int more = schema.families().size() - TOLD;
        return schema.families().stream().limit(TOLD).map(FamilySchema::name).collect(Collectors.joining(", "))
                + (more > 0 ? " and " + more + " more" : "");
    }
}
