package bt.doctor;

import bt.doctor.TabletFacts.FileSight;
import bt.model.CellKey;
import bt.record.FileReference;
import bt.record.TabletState;
import java.util.ArrayList;
import java.util.List;

/**
 * 7: the sequences and timestamps of a tablet rise over all its servers. What is in files lies at or below the redo point,
 * above which the next server gives its sequences; the same of timestamps.
 */
final class Sequences implements Invariant<TabletFacts> {
    @Override
    public List<Finding> check(TabletFacts tablet) {
        List<Finding> found = new ArrayList<>();
        TabletState state = tablet.row().state();
        long redoPoint = state.getRedoPoint();
        if (redoPoint < 0 || redoPoint > CellKey.MAX_SEQUENCE) {
            found.add(tablet.finding(Rule.SEQUENCES, "the redo point is " + redoPoint + ", not 0 to 2^62"));
        }
        for (FileSight file : tablet.files()) {
            FileReference reference = file.reference();
            Long override = reference.getSequenceOverride();
            long highest = override == null ? reference.getLargestSequence() : override;
            if (highest > redoPoint) {
                found.add(tablet.finding(
                        Rule.SEQUENCES,
                        reference.getPath(),
                        "the file has the sequence " + highest + ", above the tablet's redo point " + redoPoint));
            }
            if (reference.getSmallestSequence() > reference.getLargestSequence()) {
                found.add(tablet.finding(
                        Rule.SEQUENCES,
                        reference.getPath(),
                        "sequences from " + reference.getSmallestSequence() + " to " + reference.getLargestSequence()));
            }
            long stamped =
                    file.properties().map(p -> p.getHighestServerTimestamp()).orElse(0L);
            if (stamped > state.getLastServerTimestamp()) {
                found.add(tablet.finding(
                        Rule.SEQUENCES,
                        reference.getPath(),
                        "a server gave the timestamp " + stamped + ", above the tablet's last "
                                + state.getLastServerTimestamp()));
            }
        }
        return found;
    }
}
