package bt.shell;

import bt.model.AccessList;
import bt.model.FamilySchema;
import bt.model.Right;
import bt.model.TableAccess;
import bt.model.TableSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What {@code bt describe} and {@code bt rights} tell of lists of rights. */
final class AccessDescription {
    private AccessDescription() {}

    /** Of a table that has lists; one line where these are empty, for that is not the same. */
    static List<String> lines(TableSchema schema, TableAccess access) {
        List<String> lines = new ArrayList<>(lines("table", access.table()));
        for (FamilySchema family : schema.families()) {
            lines.addAll(lines("family " + family.name(), access.family(family.id())));
        }
        return lines.isEmpty() ? List.of("rights\ttable\tnobody but administrators of the cluster") : lines;
    }

    static List<String> lines(String thing, AccessList list) {
        return list.users().entrySet().stream()
                .map(user -> "rights\t" + thing + "\t" + user.getKey() + "\t" + Right.text(user.getValue()))
                .toList();
    }

    static Map<String, Object> document(TableSchema schema, TableAccess access) {
        Map<String, Object> families = new LinkedHashMap<>();
        for (FamilySchema family : schema.families()) {
            families.put(family.name(), users(access.family(family.id())));
        }
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("table", users(access.table()));
        document.put("families", families);
        return document;
    }

    /** The rights of each user by name, as people write them. */
    static Map<String, List<String>> users(AccessList list) {
        Map<String, List<String>> users = new LinkedHashMap<>();
        list.users()
                .forEach((user, rights) ->
                        users.put(user, rights.stream().map(Right::text).toList()));
        return users;
    }
}
