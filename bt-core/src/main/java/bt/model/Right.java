package bt.model;

import static bt.base.Check.checkGiven;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What a user may be allowed to do (section 2 of the paper: access control is by column family). All but {@link #CREATE}
 * are given for a table or for a family of it, {@link #CREATE} and {@link #ADMIN} for the cluster.
 */
public enum Right {
    /** Sees cells: in reads, in conditions, and as what an increment or an append goes on from. */
    READ,
    /** Writes and deletes cells. */
    WRITE,
    /** Has scripts run over what it may read. */
    SCRIPT,
    /**
     * Of a family: changes its rules, and drops it. Of a table: changes, drops, flushes, splits, merges and moves it, and
     * gives rights. Of the cluster: all that of every table, and whatever concerns servers.
     */
    ADMIN,
    /** Creates tables. */
    CREATE;

    /** What can be given for a table or a family. */
    public static final Set<Right> OF_TABLES = Collections.unmodifiableSet(EnumSet.of(READ, WRITE, SCRIPT, ADMIN));

    /** What can be given for the cluster. */
    public static final Set<Right> OF_CLUSTERS = Collections.unmodifiableSet(EnumSet.of(ADMIN, CREATE));

    /** As people write it. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Several, in their order, as people write them: {@code read,write}. */
    public static String text(Set<Right> rights) {
        return rights.stream().sorted().map(Right::text).collect(Collectors.joining(","));
    }

    /** The other way round; IllegalArgumentException where a word is none of what may be given. */
    public static Set<Right> parse(String words, Set<Right> allowed) {
        EnumSet<Right> rights = EnumSet.noneOf(Right.class);
        for (String word : words.split(",", -1)) {
            Set<Right> before = Set.copyOf(rights);
            allowed.stream().filter(right -> right.text().equals(word)).forEach(rights::add);
            checkGiven(
                    !rights.equals(before),
                    "\"%s\" is no right, or said twice",
                    "name each once, of %s",
                    word,
                    text(allowed));
        }
        return rights;
    }
}
