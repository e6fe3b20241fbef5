package bt.model;

import static bt.base.Check.checkArgument;

/**
 * A column family: the unit of access control and of garbage collection (section 2 of the paper). The id stands for the
 * name in every stored key and is never given twice in a table.
 */
public record FamilySchema(int id, String name, String localityGroup, GcRule garbage) {
    public FamilySchema {
        checkArgument(id > 0, "family ids begin at 1, not %d", id);
        Names.check("family", name);
    }
}
