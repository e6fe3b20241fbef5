package bt.mapreduce.input;

import bt.base.Bytes;
import bt.base.UnavailableException;
import bt.client.TabletInfo;
import bt.model.RowRange;
import bt.model.RowSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Cuts a scan by tablets. */
final class Splits {
    private Splits() {}

    /**
     * A split of every tablet that the rows touch, in order. UNAVAILABLE when the tablets leave a gap or overlap: they
     * were read while METADATA changed, and rows would be missing or there twice with nobody told.
     */
    static List<TableSplit> of(String table, List<TabletInfo> tablets, RowSet scanned) throws UnavailableException {
        List<TableSplit> splits = new ArrayList<>();
        Optional<Bytes> covered = Optional.of(Bytes.EMPTY);
        for (TabletInfo tablet : tablets) {
            if (!covered.equals(Optional.of(tablet.range().start()))) {
                throw changing(table, covered);
            }
            covered = tablet.range().end();
            List<RowRange> here = scanned.intersect(tablet.range()).ranges();
            if (!here.isEmpty()) {
                RowRange rows = new RowRange(
                        here.get(0).start(), here.get(here.size() - 1).end());
                splits.add(new TableSplit(rows, tablet.host(), tablet.bytes()));
            }
        }
        if (covered.isPresent()) {
            throw changing(table, covered);
        }
        return splits;
    }

    private static UnavailableException changing(String table, Optional<Bytes> covered) {
        return new UnavailableException("table " + table + ": its tablets do not meet at row "
                + covered.map(Bytes::brief).orElse("(last)") + ", they are changing: submit the job again");
    }
}
