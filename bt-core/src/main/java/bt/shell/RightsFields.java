package bt.shell;

import bt.command.UsageException;
import bt.model.AccessList;
import bt.model.FamilySchema;
import bt.model.Right;
import bt.model.TableAccess;
import bt.model.TableSchema;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;

/**
 * Lists of rights as fields of JSON, of a table and of each family: {@code "rights": [{"user": "alice", "rights":
 * "read,write"}]}. A file in which none stands says nothing of rights; where one stands, those that are left out are empty.
 */
final class RightsFields {
    private static final String NAME = "rights";

    private RightsFields() {}

    /** The list of a table or a family, if it is said. */
    static Optional<AccessList> parse(JsonFields owner) throws UsageException {
        if (!owner.has(NAME)) {
            return Optional.empty();
        }
        AccessList list = AccessList.NOBODY;
        for (JsonFields entry : owner.objects(NAME)) {
            String user = entry.neededText("user");
            if (list.users().containsKey(user)) {
                throw new UsageException(entry.where() + ": " + user + " is named twice", "name each user once");
            }
            try {
                list = list.grant(user, Right.parse(entry.neededText(NAME), Right.OF_TABLES));
            } catch (IllegalArgumentException wrong) {
                throw UsageException.of(entry.where(), wrong, "correct it");
            }
            entry.end();
        }
        return Optional.of(list);
    }

    /** Of both the lists that were said, if any was. */
    static Optional<TableAccess> access(Optional<AccessList> table, Map<Integer, AccessList> families) {
        return table.isEmpty() && families.isEmpty()
                ? Optional.empty()
                : Optional.of(new TableAccess(table.orElse(AccessList.NOBODY), new TreeMap<>(families)));
    }

    /** What {@link #parse} reads back. */
    static void put(Map<String, Object> document, AccessList list) {
        document.put(
                NAME,
                list.users().entrySet().stream()
                        .map(user -> Map.of("user", user.getKey(), NAME, Right.text(user.getValue())))
                        .toList());
    }

    /**
     * The lists that a schema wants, of the families of another in which these names have other ids; empty where it says
     * nothing of rights.
     */
    static Optional<TableAccess> of(TableSchema wanted, TableSchema families) {
        return wanted.access().map(lists -> {
            TreeMap<Integer, AccessList> byId = new TreeMap<>();
            for (FamilySchema family : wanted.families()) {
                families.family(family.name()).ifPresent(same -> byId.put(same.id(), lists.family(family.id())));
            }
            return new TableAccess(lists.table(), byId);
        });
    }

    /** As in a line of a plan; of a table without lists, or of one that has them. */
    static String text(Optional<AccessList> list) {
        return list.map(AccessList::users).map(RightsFields::text).orElse("everybody");
    }

    private static String text(Map<String, Set<Right>> users) {
        Function<Map.Entry<String, Set<Right>>, String> one = user -> user.getKey() + " " + Right.text(user.getValue());
        List<String> all = users.entrySet().stream().map(one).toList();
        return all.isEmpty() ? "nobody" : String.join(", ", all);
    }
}
