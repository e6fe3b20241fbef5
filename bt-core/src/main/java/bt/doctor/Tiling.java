package bt.doctor;

import bt.base.Bytes;
import bt.doctor.Seam.Edge;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.record.TablePhase;
import bt.record.TableRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** 1: the tablets of a table tile (−∞, +∞): each begins where the one before it ends. */
final class Tiling implements Invariant<Seam> {
    /** A split and a merge are changes of two rows, one after the other. */
    @Override
    public boolean mayPass() {
        return true;
    }

    @Override
    public List<Finding> check(Seam seam) {
        List<Finding> found = new ArrayList<>();
        List<Edge> edges = seam.edges();
        if (edges.isEmpty()) {
            return found;
        }
        if (seam.fromBeginning()) {
            begins(edges.get(0), seam, found);
        }
        for (int i = 1; i < edges.size(); i++) {
            Edge left = edges.get(i - 1);
            Edge right = edges.get(i);
            if (left.id().tableId() == right.id().tableId()) {
                meet(left, right, seam, found);
            } else {
                ends(left, seam, found);
                missing(left.id().tableId() + 1, right.id().tableId(), seam, found);
                begins(right, seam, found);
            }
        }
        if (seam.toEnd()) {
            Edge last = edges.get(edges.size() - 1);
            ends(last, seam, found);
            missing(last.id().tableId() + 1, Long.MAX_VALUE, seam, found);
        }
        return found;
    }

    private static void meet(Edge left, Edge right, Seam seam, List<Finding> found) {
        Bytes end = left.id().endRow().orElse(Bytes.EMPTY);
        if (!right.whole() || right.previousEndRow().equals(left.id().endRow())) {
            return;
        }
        Bytes begin = right.previousEndRow().orElse(Bytes.EMPTY);
        if (end.compareTo(begin) < 0) {
            RowRange rows = RowRange.of(end.successor(), begin.successor());
            add(
                    right,
                    rows,
                    "no tablet has these rows: " + left.id() + " ends before, " + right.id() + " begins behind",
                    seam,
                    found);
        } else {
            RowRange rows =
                    RowRange.of(right.previousEndRow().map(Bytes::successor).orElse(Bytes.EMPTY), end.successor());
            add(right, rows, "both " + left.id() + " and " + right.id() + " have these rows", seam, found);
        }
    }

    private static void begins(Edge first, Seam seam, List<Finding> found) {
        Optional<Bytes> before = first.previousEndRow();
        if (before.isPresent()) {
            RowRange rows = RowRange.of(Bytes.EMPTY, before.get().successor());
            add(
                    first,
                    rows,
                    "no tablet has these rows: " + first.id() + ", the table's first, begins behind",
                    seam,
                    found);
        }
    }

    private static void ends(Edge last, Seam seam, List<Finding> found) {
        if (last.id().endRow().isPresent()) {
            RowRange rows = RowRange.from(last.id().endRow().get().successor());
            add(last, rows, "no tablet has these rows: " + last.id() + ", the table's last, ends before", seam, found);
        }
    }

    private static void missing(long from, long below, Seam seam, List<Finding> found) {
        for (TableRecord table : seam.tables().values()) {
            if (table.getId() >= from && table.getId() < below && table.getPhase() == TablePhase.ACTIVE) {
                Place place = new Place(table.getName(), Optional.of(RowRange.ALL), "");
                found.add(new Finding(Rule.TILING, place, "the table has no tablet at all"));
            }
        }
    }

    /** Of a table that is being made, or given up, rows come and go one by one. */
    private static void add(Edge edge, RowRange rows, String fact, Seam seam, List<Finding> found) {
        long id = edge.id().tableId();
        TableRecord table = seam.tables().get(id);
        if (id == TableSchema.METADATA_ID) {
            found.add(new Finding(Rule.METADATA, new Place("METADATA", Optional.of(rows), ""), fact));
        } else if (table != null && table.getPhase() == TablePhase.ACTIVE) {
            found.add(new Finding(Rule.TILING, new Place(table.getName(), Optional.of(rows), ""), fact));
        }
    }
}
