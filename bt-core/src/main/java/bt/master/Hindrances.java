package bt.master;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.base.Bytes;
import bt.base.FencedException;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataSchema;
import bt.model.TabletId;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What keeps a pass from changing rows of METADATA, and no more than these: a row may be damaged, and a server of METADATA may
 * be read and take no writes. Such a server is waited for once in a pass, and once more by the assignments of a pass, and all its
 * rows are left as they are; the next pass tries again. Owned by the master's thread.
 */
final class Hindrances {
    private static final Logger log = LoggerFactory.getLogger(Hindrances.class);

    /** What has the root tablet's row. */
    private static final String LOCK_SERVICE = "the lock service";

    /** Where a row is that no tablet of METADATA which the pass has read may have. */
    private static final String UNKNOWN = "a server that is not known";

    private List<MetadataRow> tablets = List.of();

    /** Of each change that was waited for in vain, the servers whose rows it is of: one of them fails. */
    private final Set<Set<String>> failing = new HashSet<>();

    /** What the first change that failed at these servers was told. */
    private final Map<Set<String>, String> told = new HashMap<>();

    private final Set<TabletId> waiting = new HashSet<>();

    /** A pass begins: what kept the one before from something may be over. */
    void begin() {
        failing.clear();
        told.clear();
        waiting.clear();
    }

    /** METADATA's own tablets, with the servers that have them. */
    void saw(List<MetadataRow> metadata) {
        tablets = List.copyOf(metadata);
    }

    /** Who has the tablet's row, as the pass has read it: nobody is asked. */
    String home(TabletId id) {
        if (id.equals(MetadataSchema.ROOT)) {
            return LOCK_SERVICE;
        }
        Bytes key = MetadataKeys.of(id);
        return tablets.stream()
                .filter(tablet -> tablet.range().contains(key))
                .map(tablet -> tablet.location().getServer())
                .findFirst()
                .orElse(UNKNOWN);
    }

    /** Changes rows. */
    @FunctionalInterface
    interface Change {
        /** Whether what was wanted is reached. */
        boolean run() throws BigtableException, InterruptedException;
    }

    /**
     * Makes a change, unless one at the same servers has been waited for in vain. False as well when it fails: the tablets wait, and
     * why is told. One that is REJECTED was decided on rows that have changed since, and is for the next pass to decide anew.
     */
    boolean attempt(Collection<TabletId> rows, Change change) throws FencedException, InterruptedException {
        if (isInVain(rows)) {
            return false;
        }
        try {
            return change.run();
        } catch (BigtableException failed) {
            failed(rows, failed);
            return false;
        }
    }

    /** Whether a change at the servers of these rows has been waited for in vain: then the rows' tablets wait for the next pass. */
    boolean isInVain(Collection<TabletId> rows) {
        Set<String> homes = homes(rows);
        boolean inVain = failing.stream().anyMatch(homes::containsAll);
        if (inVain) {
            waiting.addAll(rows);
        }
        return inVain;
    }

    /** The tablet waits for a part of METADATA that cannot be read, and is told with that. */
    void unread(TabletId id) {
        waiting.add(id);
    }

    /** A change of these rows was not made. FENCED is thrown on: this master rules no more. */
    void failed(Collection<TabletId> rows, BigtableException why) throws FencedException {
        if (why instanceof FencedException lost) {
            throw lost;
        }
        if (why.kind() == Kind.REJECTED) {
            log.info("{}: {}", rows, why.getMessage());
            return;
        }
        Set<String> homes = homes(rows);
        waiting.addAll(rows);
        if (told.putIfAbsent(homes, why.getMessage()) == null) {
            log.debug("{}: {}", homes, why.getMessage());
        }
        if (why.kind() != Kind.CORRUPTION) {
            failing.add(homes);
        }
    }

    /** Whether METADATA takes no changes of some rows; a row that is damaged is not meant. */
    boolean isRefused() {
        return !failing.isEmpty();
    }

    /** Whether this pass could not do for the tablet what it wanted. */
    boolean concern(TabletId id) {
        return waiting.contains(id);
    }

    /** One line for every server with rows that could not be changed. */
    List<String> problems() {
        return told.entrySet().stream()
                .map(entry -> "rows of METADATA at " + String.join(" and ", entry.getKey())
                        + " are not changed, which their tablets wait for: " + entry.getValue())
                .sorted()
                .toList();
    }

    private Set<String> homes(Collection<TabletId> rows) {
        return rows.stream().map(this::home).collect(Collectors.toCollection(TreeSet::new));
    }
}
