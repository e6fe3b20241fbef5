package bt.doctor;

import bt.base.BigtableException;
import bt.base.UnavailableException;
import bt.doctor.ClusterReader.Look;
import bt.doctor.Expansion.Living;
import bt.doctor.Seam.Edge;
import bt.doctor.TabletFacts.Claim;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataSchema;
import bt.model.TabletId;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** One look at every tablet: what looks broken goes to the suspicions. One thread, once. */
final class Examination implements Walk.Visitor {
    private final Walk walk;
    private final TabletReader tablets;
    private final ClusterReader cluster;
    private final Look look;
    private final Suspicions suspicions;
    private final Tiling tiling = new Tiling();
    private final List<Invariant<TabletFacts>> ofTablets;
    private final Needs needs = new Needs();
    private Optional<Edge> last = Optional.empty();
    private long seen;
    private boolean whole = true;

    Examination(
            DoctorConfig config,
            Walk walk,
            TabletReader tablets,
            ClusterReader cluster,
            Look look,
            Suspicions suspicions) {
        this.walk = walk;
        this.tablets = tablets;
        this.cluster = cluster;
        this.look = look;
        this.suspicions = suspicions;
        this.ofTablets = List.of(
                new Custody(),
                new FileReferences(),
                new NeededLogs(),
                new LogHolds(),
                new Sequences(),
                new Progress(config.stuckMillis()));
    }

    /** False when METADATA could not be read to its end, or has a damaged row: nobody knows all that is referred to. */
    boolean run() throws BigtableException, InterruptedException {
        try {
            walk.all(this);
            seam(last, Optional.empty());
        } catch (UnavailableException unread) {
            whole = false;
            // It was tried for a minute; where the root tablet is not served, nothing else can be known.
            DamagedRow behind = new DamagedRow(
                    MetadataKeys.of(last.map(Edge::id).orElse(MetadataSchema.ROOT)),
                    "METADATA cannot be read behind this row: " + unread.getMessage());
            suspicions.examine(new DamagedRows(), behind, () -> Optional.of(behind));
        }
        return whole;
    }

    Needs needs() {
        return needs;
    }

    long tablets() {
        return seen;
    }

    @Override
    public void page() {
        tablets.begin();
    }

    @Override
    public void tablet(Living tablet) {
        seen++;
        needs.add(tablet.row());
        next(Edge.of(tablet.row()));
        TabletFacts facts = tablets.read(tablet, look);
        TabletId id = tablet.row().id();
        List<Claim> claims = facts.claims();
        for (Invariant<TabletFacts> invariant : ofTablets) {
            suspicions.examine(invariant, facts, () -> again(id, claims));
        }
    }

    @Override
    public void damaged(DamagedRow row, Optional<TabletId> id) {
        whole = false;
        suspicions.examine(new DamagedRows(), row, () -> walk.damaged(row.key()));
        id.ifPresent(known -> next(new Edge(known, false, Optional.empty())));
    }

    private Optional<TabletFacts> again(TabletId id, List<Claim> claims)
            throws BigtableException, InterruptedException {
        Optional<Living> now = walk.find(id);
        return now.isEmpty() ? Optional.empty() : Optional.of(tablets.readAgain(now.get(), claims));
    }

    private void next(Edge edge) {
        seam(last, Optional.of(edge));
        last = Optional.of(edge);
    }

    private void seam(Optional<Edge> left, Optional<Edge> right) {
        List<Edge> edges = Stream.of(left, right).flatMap(Optional::stream).toList();
        Seam facts =
                new Seam(edges, left.isEmpty(), right.isEmpty(), look.cluster().tables());
        Optional<TabletId> from = left.map(Edge::id);
        Optional<TabletId> to = right.map(Edge::id);
        suspicions.examine(
                tiling,
                facts,
                () -> Optional.of(new Seam(walk.edges(from, to), from.isEmpty(), to.isEmpty(), cluster.tables())));
    }
}
