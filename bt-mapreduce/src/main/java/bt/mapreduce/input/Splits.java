package bt.mapreduce.input;

import bt.base.Bytes;
import bt.base.UnavailableException;
import bt.client.TabletInfo;
import bt.model.RowSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Cuts a scan by tablets. */
final class Splits {
    private Splits() {}

    /**
     * A split of every tablet that the rows touch, in order, each with the rows that lie in its tablet. UNAVAILABLE when the tablets leave a gap or overlap: they
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
            RowSet here = scanned.intersect(tablet.range());
            if (!here.isEmpty()) {
                splits.add(new TableSplit(here, tablet.host(), tablet.bytes()));
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
