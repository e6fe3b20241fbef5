package bt.model;

import static bt.base.Check.checkGiven;

import java.util.Collections;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/**
 * Who may do what with a table and its families. A right for the table is one for every family; who has it neither so nor
 * for a family is refused, or not shown that family. A table that has none of this is open to everybody. Section 2 of
 * the paper has access control for each family.
 */
public record TableAccess(AccessList table, SortedMap<Integer, AccessList> families) {
    /** A table for nobody yet. */
    public static final TableAccess NOBODY = new TableAccess(AccessList.NOBODY, new TreeMap<>());

    /** So many entries at most have the lists of a table and of its families together: they lie in one small file. */
    public static final int MAX_ENTRIES = 2_000;

    public TableAccess {
        SortedMap<Integer, AccessList> copy = new TreeMap<>(families);
        copy.values().removeIf(list -> list.users().isEmpty());
        families = Collections.unmodifiableSortedMap(copy);
        table.checkGives("a table", Right.OF_TABLES);
        families.values().forEach(list -> list.checkGives("a family", Right.OF_TABLES));
        int entries = table.users().size()
                + families.values().stream()
                        .mapToInt(list -> list.users().size())
                        .sum();
        checkGiven(
                entries <= MAX_ENTRIES,
                "%d entries in lists of rights, at most %d",
                "name fewer users, or fewer families' own",
                entries,
                MAX_ENTRIES);
    }

    /** The list of a family, by its id. */
    public AccessList family(int id) {
        return families.getOrDefault(id, AccessList.NOBODY);
    }

    /** With another list for the table, or, where one is named, for a family. */
    TableAccess change(Optional<Integer> family, UnaryOperator<AccessList> change) {
        if (family.isEmpty()) {
            return new TableAccess(change.apply(table), families);
        }
        SortedMap<Integer, AccessList> changed = new TreeMap<>(families);
        changed.put(family.get(), change.apply(family(family.get())));
        return new TableAccess(table, changed);
    }

    /** Without the list of a family that is dropped. */
    TableAccess without(int family) {
        SortedMap<Integer, AccessList> rest = new TreeMap<>(families);
        rest.remove(family);
        return new TableAccess(table, rest);
    }

    /** What one user may do. */
    TableRights of(String user) {
        SortedMap<Integer, Set<Right>> ofFamilies = new TreeMap<>();
        families.forEach((id, list) -> ofFamilies.put(id, list.of(user)));
        return new TableRights(table.of(user), ofFamilies);
    }
}
