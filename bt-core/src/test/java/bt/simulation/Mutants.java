package bt.simulation;

import static bt.simulation.Trouble.BAD_FILES;
import static bt.simulation.Trouble.BAD_NETWORK;
import static bt.simulation.Trouble.CLOCK;
import static bt.simulation.Trouble.CRASH;
import static bt.simulation.Trouble.CRASH_AT_STEP;
import static bt.simulation.Trouble.DRAIN;
import static bt.simulation.Trouble.FLUSH;
import static bt.simulation.Trouble.ISLAND;
import static bt.simulation.Trouble.MERGE;
import static bt.simulation.Trouble.MOVE;
import static bt.simulation.Trouble.PAUSE_AT_CHANGE;
import static bt.simulation.Trouble.SPLIT;

import bt.testing.CrashPoint;
import java.util.List;

/** The mistakes that the simulator has to find. */
final class Mutants {
    private static final Script CRASHES = Script.DEFAULT.of(5, CRASH, CRASH, FLUSH);
    private static final Script LOST_ANSWERS = Script.DEFAULT.of(8, BAD_NETWORK, BAD_NETWORK, MOVE, FLUSH, CRASH);
    private static final Script MOVES = Script.DEFAULT.busy().of(12, MOVE, MOVE, DRAIN);
    private static final Script FILES = Script.DEFAULT.busy().flushing(800).of(10, MOVE, FLUSH, CRASH, MERGE);

    /** A server dies with writes in its log that nobody was answered. */
    private static final Script UNANSWERED =
            Script.DEFAULT.busy().of(2, BAD_NETWORK).doomed(CrashPoint.AFTER_SYNC);

    /** Two of them, far apart: where nobody is left to serve METADATA, nothing is overtaken. */
    private static final Script OVERTAKEN = Script.DEFAULT
            .with(new Script.Clients(4, 0, 100, 500, Script.Load.EVEN))
            .of(2, PAUSE_AT_CHANGE);

    static final List<Mutant> ALL = List.of(
            new Mutant(
                    "acknowledges before the sync",
                    "bt/tabletserver/CommitPipeline.java",
                    "logReadsSettled = !log.settle();",
                    """
                    flying.finish(log.segment(), needs, outcomes, clock.micros());
                    logReadsSettled = !log.settle();
                    """,
                    Script.DEFAULT.busy().of(8, CRASH, CRASH_AT_STEP, CRASH_AT_STEP, BAD_FILES)),
            new Mutant(
                    "answers reads without a lease",
                    "bt/tabletserver/Lease.java",
                    "return !released && nanos - heldUntilNanos < 0;",
                    "return true;",
                    Script.DEFAULT
                            .with(new Script.Clients(4, 1, 150, 400, Script.Load.EVEN))
                            .of(1, ISLAND)),
            new Mutant(
                    "names a redo point that is too high",
                    "bt/tabletserver/Compactor.java",
                    "Math.max(state.getRedoPoint(), frozen.redoPoint())",
                    "Math.max(state.getRedoPoint(), frozen.redoPoint() + 10)",
                    CRASHES),
            new Mutant(
                    "replays a log that is not fenced",
                    "bt/master/Burial.java",
                    "files.fence(segment, 0);",
                    "files.hosts(segment);",
                    CRASHES),
            new Mutant(
                    "forgets a deletion in a merging compaction",
                    "bt/tablet/Retention.java",
                    "return scope.hasAllOlder() || !isLast ? Verdict.DROP : Verdict.KEEP;",
                    "return Verdict.DROP;",
                    FILES),
            new Mutant(
                    "applies a write again that is sent again",
                    "bt/tabletserver/Outcomes.java",
                    "Optional<WriteResult> find(WriteId id) {",
                    "Optional<WriteResult> find(WriteId id) {\nif (id.number() > 0) {\nreturn Optional.empty();\n}",
                    LOST_ANSWERS),
            new Mutant(
                    "gives sequences below those of a tablet that came",
                    "bt/tabletserver/CommitWorker.java",
                    "pipeline.raise(tablet.tablet().readPoint());",
                    "",
                    MOVES),
            new Mutant(
                    "takes writes for a tablet that leaves",
                    "bt/tabletserver/CommitWorker.java",
                    "tablets.remove(tablet);",
                    "",
                    MOVES),
            new Mutant(
                    "moves without the second minor compaction",
                    "bt/tabletserver/HandOver.java",
                    "Parting parting = how.flush() ? part(hosted) : Parting.NOTHING;",
                    "Parting parting = Parting.NOTHING;",
                    MOVES),
            new Mutant(
                    "leaves open writes behind",
                    "bt/tabletserver/HostedTablet.java",
                    "tablet.freeze(open);",
                    "tablet.freeze(List.of());",
                    Script.DEFAULT.busy().of(14, BAD_NETWORK, BAD_NETWORK, MOVE, MOVE, DRAIN)),
            new Mutant(
                    "takes a condition for true though the row has changed",
                    "bt/tabletserver/CommitWorker.java",
                    "if (tablet.tablet().mayHaveChangedSince(seen.readPoint(), row)) {",
                    "if (seen.readPoint() < 0) {",
                    Script.DEFAULT.busy().of(3, FLUSH, BAD_NETWORK)),
            new Mutant(
                    "adds to a sum that has changed since",
                    "bt/tabletserver/CommitWorker.java",
                    "if (tablet.tablet().mayHaveChangedSince(seen.readPoint(), row)) {",
                    """
                    if (entry.write().condition().isPresent()
                            && tablet.tablet().mayHaveChangedSince(seen.readPoint(), row)) {
                    """,
                    Script.DEFAULT.busy().of(3, FLUSH, BAD_NETWORK)),
            new Mutant(
                    "answers what is sent again after a crash with another sum",
                    "bt/tabletserver/LogReplay.java",
                    "author.result(),",
                    "author.result() + 1,",
                    UNANSWERED),
            new Mutant(
                    "has a Bloom filter that says no",
                    "bt/sstable/BloomFilter.java",
                    "boolean mayContain(long hash) {",
                    "boolean mayContain(long hash) {\nif (hash % 5 == 0) {\nreturn false;\n}",
                    FILES),
            new Mutant(
                    "replays all segments of a log but the first",
                    "bt/tabletserver/LogReplay.java",
                    "for (long segment : reader.segments()) {",
                    "for (long segment : reader.segments().subList(1, reader.segments().size())) {",
                    CRASHES),
            new Mutant(
                    "gives the timestamps of its clock, whatever was given before",
                    "bt/tablet/Tablet.java",
                    "lastServerTimestamp = Math.max(nowMicros, lastServerTimestamp + 1);",
                    "lastServerTimestamp = nowMicros;",
                    Script.DEFAULT.of(8, CLOCK, CLOCK, MOVE)),
            new Mutant(
                    "does not clip the files of a split",
                    "bt/tablet/TabletFile.java",
                    "return new RowRange(bytes(reference.getClipStart()).orElse(Bytes.EMPTY), bytes(reference.getClipEnd()));",
                    "return RowRange.ALL;",
                    Script.DEFAULT.busy().flushing(800).of(14, SPLIT, SPLIT, MERGE, FLUSH)),
            new Mutant(
                    "gives segments of the log free that are needed",
                    "bt/tabletserver/LogTrim.java",
                    "log.release(needs.oldest());",
                    "log.release(log.segment());",
                    Script.DEFAULT.busy().flushing(1 << 20).segments(4_000).of(8, CRASH, CRASH)),
            new Mutant("hides what is written after a deletion", "bt/tablet/Retention.java", """
                        private Verdict put(Slice key, long sequence, boolean isGhost) {
                            if (sequence < deletions.columnEmptiedAt()) {
                    """, """
                        private Verdict put(Slice key, long sequence, boolean isGhost) {
                            if (deletions.columnEmptiedAt() > 0) {
                    """, FILES),
            new Mutant(
                    "keeps one version too few",
                    "bt/tablet/VersionLimit.java",
                    "boolean fell = places.mostWithin(sequence, end) >= limit;",
                    "boolean fell = places.mostWithin(sequence, end) >= Math.max(1, limit - 1);",
                    FILES),
            new Mutant(
                    "ignores the condition on METADATA",
                    "bt/metadata/TabletsHome.java",
                    "change.id(), Optional.of(condition));",
                    "change.id(), Optional.empty());",
                    OVERTAKEN));

    private Mutants() {}
}
