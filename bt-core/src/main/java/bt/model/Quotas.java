package bt.model;

import static bt.base.Check.checkGiven;

import java.util.Collections;
import java.util.Map;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * How much a table may take, and how much of that each user, in bytes of files on disk and of memtables (section 8.3 of the
 * paper: a simple quota for shared tables). Writes beyond are refused, deletions never. A user without a quota of its own
 * has {@code eachUserBytes}; where that is absent too, only the table's bounds it.
 */
public record Quotas(OptionalLong tableBytes, OptionalLong eachUserBytes, SortedMap<String, Long> userBytes) {
    /** Nothing is bounded. */
    public static final Quotas NONE = new Quotas(OptionalLong.empty(), OptionalLong.empty(), new TreeMap<>());

    /** More users than that have no quota of their own. */
    public static final int MAX_USERS = 1_000;

    private static final int USER_CHARACTERS = 256;

    public Quotas {
        userBytes = Collections.unmodifiableSortedMap(new TreeMap<>(userBytes));
        checkGiven(tableBytes.orElse(0) >= 0, "a table's quota of %d bytes", "give 0 or more", tableBytes.orElse(0));
        checkGiven(
                eachUserBytes.orElse(0) >= 0,
                "a table's quota of %d bytes for each user",
                "give 0 or more",
                eachUserBytes.orElse(0));
        checkGiven(
                userBytes.size() <= MAX_USERS,
                "quotas for %d users, at most %d are listed",
                "name fewer, and give the others one for each",
                userBytes.size(),
                MAX_USERS);
        for (Map.Entry<String, Long> user : userBytes.entrySet()) {
            checkGiven(
                    !user.getKey().isEmpty() && user.getKey().length() <= USER_CHARACTERS,
                    "a quota for a user whose name has %d characters, 1 to %d are allowed",
                    "correct the name",
                    user.getKey().length(),
                    USER_CHARACTERS);
            checkGiven(
                    user.getValue() >= 0,
                    "a table's quota of %d bytes for %s",
                    "give 0 or more",
                    user.getValue(),
                    user.getKey());
        }
    }

    /** Whether neither the table nor any user is bounded. */
    public boolean isNone() {
        return tableBytes.isEmpty() && !hasUsers();
    }

    /** Whether it matters who writes. */
    public boolean hasUsers() {
        return eachUserBytes.isPresent() || !userBytes.isEmpty();
    }

    /** What the user may take in the table. */
    public OptionalLong of(String user) {
        Long own = userBytes.get(user);
        return own == null ? eachUserBytes : OptionalLong.of(own);
    }

    /** With another quota for the table, or none. */
    public Quotas table(OptionalLong bytes) {
        return new Quotas(bytes, eachUserBytes, userBytes);
    }

    /** With another quota for each user that has none of its own, or none. */
    public Quotas eachUser(OptionalLong bytes) {
        return new Quotas(tableBytes, bytes, userBytes);
    }

    /** With another quota for one user; without one it has that of each user. */
    public Quotas user(String user, OptionalLong bytes) {
        SortedMap<String, Long> users = new TreeMap<>(userBytes);
        users.remove(user);
        bytes.ifPresent(own -> users.put(user, own));
        return new Quotas(tableBytes, eachUserBytes, users);
    }
}
