package bt.model;

import static bt.base.Check.checkArgument;

/**
 * A column family: the unit of access control and of garbage collection (section 2 of the paper). The id stands for the
 * name in every stored key and is never given twice in a table.
 */
public record FamilySchema(int id, String name, String localityGroup, GcRule garbage) {
    /** What servers store in a row themselves: the outcomes of writes that a client may have no answer for. */
    public static final int OF_SERVERS = Integer.MAX_VALUE;

    public FamilySchema {
        checkArgument(id > 0 && id < OF_SERVERS, "a family id is 1 to %d, not %d", OF_SERVERS - 1, id);
        Names.check("family", name);
    }
}
