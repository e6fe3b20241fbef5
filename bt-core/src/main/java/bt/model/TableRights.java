package bt.model;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What one user may do with a table: all over it, and beside that with single families, by their ids. Section 2 of the
 * paper has access control for each family.
 */
public record TableRights(Set<Right> everywhere, Map<Integer, Set<Right>> inFamilies) {
    /** Of who may do all: everybody, where there is no list. */
    public static final TableRights ALL = new TableRights(Right.OF_TABLES, new TreeMap<>());

    /** Whether the right is the user's all over the table, families that are still to come included. */
    public boolean allow(Right right) {
        return everywhere.contains(right);
    }

    /** Whether the right is the user's in this family. */
    public boolean allow(Right right, FamilySchema family) {
        return everywhere.contains(right)
                || inFamilies.getOrDefault(family.id(), Set.of()).contains(right);
    }
}
