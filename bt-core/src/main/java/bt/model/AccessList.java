package bt.model;

import static bt.base.Check.checkGiven;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Who may do what with one thing: a cluster, a table, or a family. It only gives: what one list does not give, another may.
 * The user {@value #EVERYBODY} is every user. Lists of access control as section 4 of the paper has them, in the lock
 * service.
 */
public record AccessList(SortedMap<String, Set<Right>> users) {
    /** Nobody may do anything. */
    public static final AccessList NOBODY = new AccessList(new TreeMap<>());

    /** The name that stands for all users. */
    public static final String EVERYBODY = "*";

    /** So many users at most have an entry in a list. */
    public static final int MAX_USERS = 1_000;

    /** A user's name has so many bytes at most, as in a handshake. */
    public static final int USER_BYTES = 256;

    public AccessList {
        SortedMap<String, Set<Right>> copy = new TreeMap<>();
        users.forEach((user, rights) -> {
            checkUser(user);
            if (!rights.isEmpty()) {
                copy.put(user, Collections.unmodifiableSet(EnumSet.copyOf(rights)));
            }
        });
        users = Collections.unmodifiableSortedMap(copy);
        checkGiven(
                users.size() <= MAX_USERS,
                "rights for %d users, at most %d are listed",
                "name fewer",
                users.size(),
                MAX_USERS);
    }

    private static void checkUser(String user) {
        int bytes = user.getBytes(StandardCharsets.UTF_8).length;
        checkGiven(
                bytes >= 1 && bytes <= USER_BYTES && user.chars().noneMatch(Character::isISOControl),
                "rights for a user whose name has %d bytes: 1 to %d are allowed, and no control characters",
                "correct the name",
                bytes,
                USER_BYTES);
    }

    /** What the user may do, also as one of everybody. */
    public Set<Right> of(String user) {
        EnumSet<Right> rights = EnumSet.noneOf(Right.class);
        rights.addAll(users.getOrDefault(user, Set.of()));
        rights.addAll(users.getOrDefault(EVERYBODY, Set.of()));
        return rights;
    }

    /** Whether the user has the right, also as one of everybody. */
    public boolean allows(String user, Right right) {
        return users.getOrDefault(user, Set.of()).contains(right)
                || users.getOrDefault(EVERYBODY, Set.of()).contains(right);
    }

    /** Whether anybody has the right. */
    public boolean gives(Right right) {
        return users.values().stream().anyMatch(rights -> rights.contains(right));
    }

    /** With these rights too for one user. */
    public AccessList grant(String user, Set<Right> rights) {
        SortedMap<String, Set<Right>> more = new TreeMap<>(users);
        EnumSet<Right> all = EnumSet.noneOf(Right.class);
        all.addAll(rights);
        all.addAll(more.getOrDefault(user, Set.of()));
        more.put(user, all);
        return new AccessList(more);
    }

    /** Without these rights for one user; who has none left has no entry. */
    public AccessList revoke(String user, Set<Right> rights) {
        SortedMap<String, Set<Right>> fewer = new TreeMap<>(users);
        EnumSet<Right> rest = EnumSet.noneOf(Right.class);
        rest.addAll(fewer.getOrDefault(user, Set.of()));
        rest.removeAll(rights);
        fewer.put(user, rest);
        return new AccessList(fewer);
    }

    /** IllegalArgumentException where it gives anything else than these. */
    void checkGives(String what, Set<Right> allowed) {
        for (Map.Entry<String, Set<Right>> user : users.entrySet()) {
            checkGiven(
                    allowed.containsAll(user.getValue()),
                    "%s: %s are no rights of %s",
                    "name some of %s",
                    user.getKey(),
                    Right.text(user.getValue()),
                    what,
                    Right.text(allowed));
        }
    }
}
