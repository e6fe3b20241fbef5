package bt.metadata;

import bt.model.AccessList;
import bt.model.Right;
import bt.model.TableAccess;
import bt.record.AccessRight;
import bt.record.FamilyRights;
import bt.record.TableAccessRecord;
import bt.record.UserRights;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Between lists of rights and their records: docs/formats/access.md. A record that is no list is an
 * {@link IllegalArgumentException}.
 */
final class AccessCodec {
    private AccessCodec() {}

    static TableAccessRecord encode(TableAccess access) {
        return new TableAccessRecord(
                encode(access.table()),
                access.families().entrySet().stream()
                        .map(family -> new FamilyRights(family.getKey(), encode(family.getValue())))
                        .toList());
    }

    static TableAccess decode(TableAccessRecord record) {
        SortedMap<Integer, AccessList> families = new TreeMap<>();
        record.getFamilies().forEach(family -> families.put(family.getFamily(), decode(family.getUsers())));
        return new TableAccess(decode(record.getUsers()), families);
    }

    static List<UserRights> encode(AccessList list) {
        return list.users().entrySet().stream()
                .map(user -> new UserRights(
                        user.getKey(),
                        user.getValue().stream()
                                .map(right -> AccessRight.valueOf(right.name()))
                                .toList()))
                .toList();
    }

    static AccessList decode(List<UserRights> users) {
        SortedMap<String, Set<Right>> rights = new TreeMap<>();
        for (UserRights user : users) {
            Set<Right> given = rights.computeIfAbsent(user.getUser(), name -> EnumSet.noneOf(Right.class));
            user.getRights().forEach(right -> given.add(Right.valueOf(right.name())));
        }
        return new AccessList(rights);
    }
}
