package bt.master;

import bt.model.TabletId;
import bt.record.FamilyBytes;
import bt.record.Phase;
import bt.record.TabletReport;
import bt.record.UserShare;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What one look saw of one table: the bytes of its tablets, what its families take, and what each server, by epoch, has
 * counted of puts. It is whole if every server answered and every tablet is served by one; it knows the families if
 * besides that every server of the table told them. A server that has died is not among those who should answer, and a
 * tablet on its way may be at none or at two: so only the tablets themselves tell whether all is seen.
 */
record TableSight(
        long bytes,
        Map<Integer, Long> families,
        Map<Long, List<UserShare>> puts,
        boolean isWhole,
        boolean knowsFamilies) {

    /** The tablets are those that METADATA had at the last pass; splits since then only add to them. */
    static TableSight of(long tableId, Set<TabletId> tablets, Sight sight) {
        Map<TabletId, Long> sizes = new HashMap<>();
        Map<Integer, Long> families = new TreeMap<>();
        Map<Long, List<UserShare>> puts = new HashMap<>();
        Set<Long> holders = new HashSet<>();
        boolean isWhole = sight.answered().size() == sight.living().size();
        ReportsByTable.Of told = sight.tables().of(tableId);
        for (ReportsByTable.Tablet tablet : told.tablets()) {
            TabletReport report = tablet.report();
            // What a server could not load it does not have, though it tells of it until it stops or tries again.
            if (report.getFailure() == null) {
                isWhole &= report.getPhase() == Phase.SERVING && !sizes.containsKey(tablet.id());
                // Whoever gave it away and whoever took it may both have answered for it: it is there once.
                sizes.merge(tablet.id(), report.getFileBytes() + report.getMemtableBytes(), Math::max);
                holders.add(tablet.epoch());
            }
        }
        for (ReportsByTable.Shares shares : told.shares()) {
            puts.put(shares.epoch(), shares.shares().getPuts());
            for (FamilyBytes family : shares.shares().getFamilies()) {
                families.merge(family.getFamily(), family.getBytes(), Long::sum);
            }
        }
        isWhole &= !tablets.isEmpty() && sizes.keySet().containsAll(tablets);
        long bytes = sizes.values().stream().mapToLong(size -> size).sum();
        return new TableSight(
                bytes, families, puts, isWhole, isWhole && puts.keySet().equals(holders));
    }
}
