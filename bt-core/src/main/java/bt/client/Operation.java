package bt.client;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Messages;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.record.RecoveryLine;
import bt.record.ServerLine;
import bt.record.SweepLine;
import bt.record.WorkLine;
import bt.record.WorkRefusal;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Work of the cluster that takes long and goes on whoever waits for it, whichever master does it. Its id says what it works
 * on: it is the same whoever asks, and to begin what is under way already begins nothing. The paper has no such thing.
 *
 * @param id {@code drain/SERVER}, {@code recovery/SERVER/EPOCH}, {@code compaction/TABLE}, {@code flush/TABLE},
 *     {@code split/TABLE}, {@code merge/TABLE}, {@code move/TABLE}, {@code creation/TABLE}, {@code sweep/garbage} or {@code sweep/dry}
 * @param subject the id of the server that is drained or recovered, {@code unknown} where only the dead one's log is known;
 *     the name of the table whose tablets are worked on; of a sweep, {@code garbage} or {@code dry}
 * @param tabletsLeft those that the server still has, that wait for another, with which the work is not done yet, that are to
 *     become part of others or to move, or, of a table that comes to be, that are not served yet; of a sweep, the tables that it
 *     has not looked at yet, as far as is known
 * @param millisLeft an estimate; empty while there is nothing to estimate from
 * @param isDone a drain stays listed for as long as the server is given no tablets, and splits, merges or moves of which some were
 *     refused for a minute; all else is listed until it is done
 * @param hindrance of a drain, why no tablet leaves; of work on a table, which tablet that it needs is not served and why, or why it could not be done in a tablet when
 *     it was tried last: it is tried again, ever more seldom, every ten minutes at last, until {@link Admin#cancelOperation}
 * @param refusals of splits, merges and moves, those of the last minute that can never be done
 */
public record Operation(
        String id,
        Kind kind,
        String subject,
        long tabletsLeft,
        OptionalLong millisLeft,
        boolean isDone,
        Optional<String> hindrance,
        List<Refusal> refusals) {
    private static final Pattern ID = Pattern.compile("([a-z]+)/(.+)");
    private static final Pattern ADDRESS = Pattern.compile("[^_]*:[0-9]+");
    private static final String GARBAGE = "garbage";
    private static final String DRY = "dry";
    private static final Set<String> SWEEPS = Set.of(GARBAGE, DRY);
    private static final Map<String, Kind> KINDS = Stream.of(Kind.values())
            .collect(Collectors.toUnmodifiableMap(kind -> kind.name().toLowerCase(Locale.ROOT), kind -> kind));

    public Operation {
        refusals = List.copyOf(refusals);
    }

    /**
     * A split, a merge or a move that can never be done.
     *
     * @param row behind which it was to be split, empty: in the middle of a tablet; the first of those that were to be one
     *     tablet's; or whose tablet was to move
     * @param kind CORRUPTION or REJECTED
     */
    public record Refusal(Bytes row, BigtableException.Kind kind, String why) {
        private static Refusal of(WorkRefusal refusal) {
            return new Refusal(
                    AvroBytes.bytes(refusal.getRow()),
                    refusal.getDamage() ? BigtableException.Kind.CORRUPTION : BigtableException.Kind.REJECTED,
                    refusal.getWhy());
        }

        /** For who asked for it. */
        public BigtableException failure(String subject) {
            // A server's own words begin with the table.
            String whole = why.startsWith(subject) ? why : subject + ": " + why;
            return BigtableException.of(kind, whole, Outcome.NOT_APPLIED, 0);
        }
    }

    /** What is done. */
    public enum Kind {
        /** All tablets of a server move to others ({@link Admin#startDrain}). */
        DRAIN,
        /** The tablets of a dead server are loaded by others, and what its log holds is written to files. */
        RECOVERY,
        /** What is in the files of a table's tablets goes through a major compaction ({@link Admin#startCompaction}). */
        COMPACTION,
        /** What a table's tablets hold in memory is written to files ({@link Admin#startFlush}). */
        FLUSH,
        /** Tablets of a table are split ({@link Admin#startSplit}). */
        SPLIT,
        /** Of several tablets of a table one is made ({@link Admin#startMerge}). */
        MERGE,
        /** Tablets of a table go to other servers ({@link Admin#startMove}). */
        MOVE,
        /** The tablets of a table that was created, truncated or undeleted are given to servers ({@link Admin#startCreation}). */
        CREATION,
        /** The cluster's files are swept for garbage, which is deleted, or only told ({@link Admin#startSweep}). */
        SWEEP;

        /** Whether it is work on the tablets of a table; else it concerns a server, or the cluster. */
        public boolean isOfTable() {
            return this != DRAIN && this != RECOVERY && this != SWEEP;
        }
    }

    /** For who finds that what he has begun is not done, though it is not under way any more, and nobody has told him why. */
    public UnavailableException endedUndone() {
        return new UnavailableException(
                id
                        + " has ended, and is not done: somebody took it back, or a master refused it that has died since: begin"
                        + " it again",
                Outcome.UNKNOWN);
    }

    /** One of this id that is not under way any more; REJECTED for what is no id. */
    static Operation over(String id) throws RejectedException {
        Matcher parts = ID.matcher(id);
        Optional<Kind> kind = parts.matches() ? Optional.ofNullable(KINDS.get(parts.group(1))) : Optional.empty();
        if (kind.isEmpty()
                || (kind.get() == Kind.RECOVERY && !parts.group(2).matches(".+/[0-9]+"))
                || (kind.get() == Kind.SWEEP && !SWEEPS.contains(parts.group(2)))) {
            throw new RejectedException(
                    "operation " + Messages.name(id)
                            + ": no id of one is like it: drain/SERVER, recovery/SERVER/EPOCH, or compaction/TABLE, flush/TABLE,"
                            + " split/TABLE, merge/TABLE, move/TABLE, creation/TABLE, or sweep/garbage, sweep/dry",
                    "list those that are under way");
        }
        String rest = parts.group(2);
        if (kind.get() == Kind.DRAIN && ADDRESS.matcher(rest).matches()) {
            throw new RejectedException(
                    "operation " + Messages.name(id)
                            + ": of a drain the id names the server by its id, not by its address",
                    "list the servers, which have both");
        }
        String subject = kind.get() == Kind.RECOVERY ? rest.substring(0, rest.lastIndexOf('/')) : rest;
        return new Operation(id, kind.get(), subject, 0, OptionalLong.empty(), true, Optional.empty(), List.of());
    }

    /** The id of a table's coming to be. */
    static String creationOf(String table) {
        return "creation/" + table;
    }

    static Operation of(ServerLine draining) {
        String server = draining.getServer();
        return new Operation(
                "drain/" + server,
                Kind.DRAIN,
                server,
                draining.getTablets(),
                OptionalLong.empty(),
                draining.getAlive() && draining.getTablets() == 0,
                Optional.ofNullable(draining.getHindrance()),
                List.of());
    }

    static Operation of(RecoveryLine recovery) {
        String server = recovery.getServer().isEmpty() ? "unknown" : recovery.getServer();
        long millis = recovery.getLeftMillis();
        return new Operation(
                "recovery/" + server + "/" + recovery.getEpoch(),
                Kind.RECOVERY,
                server,
                recovery.getTabletsWaiting(),
                millis < 0 ? OptionalLong.empty() : OptionalLong.of(millis),
                false,
                Optional.ofNullable(recovery.getHindrance()),
                List.of());
    }

    static Operation of(SweepLine sweep) {
        String subject = sweep.getDry() ? DRY : GARBAGE;
        return new Operation(
                "sweep/" + subject,
                Kind.SWEEP,
                subject,
                sweep.getTablesLeft(),
                OptionalLong.empty(),
                false,
                Optional.empty(),
                List.of());
    }

    /** Of a table that the master has just made, with so many tablets. */
    static Operation creation(String table, int tablets) {
        return new Operation(
                creationOf(table),
                Kind.CREATION,
                table,
                tablets,
                OptionalLong.empty(),
                false,
                Optional.empty(),
                List.of());
    }

    static Operation of(WorkLine work) {
        Kind kind = Kind.valueOf(work.getWork().name());
        return new Operation(
                kind.name().toLowerCase(Locale.ROOT) + "/" + work.getTable(),
                kind,
                work.getTable(),
                work.getTabletsLeft(),
                OptionalLong.empty(),
                work.getTabletsLeft() == 0,
                Optional.ofNullable(work.getFailure()),
                work.getRefusals().stream().map(Refusal::of).toList());
    }
}
