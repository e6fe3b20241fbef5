package bt.protocol;

import bt.base.AvroBytes;
import bt.model.TabletId;
import bt.record.ServerStatus;
import bt.record.TabletName;
import bt.record.TabletReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The tablets of a server as its master has been told of them: of a list that the master has heard it is told only what has changed since.
 * Lists have numbers, so one that was lost on its way is known to be. One thread.
 */
public final class TabletListing {
    private long number;
    private Map<TabletId, TabletReport> last = Map.of();

    /** Puts into an answer what is to be told of these tablets, all there are, to who has heard the list of this number; of none, all. */
    public void tell(List<TabletReport> tablets, long heard, ServerStatus answer) {
        Map<TabletId, TabletReport> now = new HashMap<>();
        tablets.forEach(tablet -> now.put(name(tablet), tablet));
        boolean isKnown = heard >= 0 && heard == number;
        answer.setListedBefore(isKnown ? heard : -1);
        answer.setTablets(isKnown ? others(tablets) : tablets);
        answer.setGone(isKnown ? gone(now) : List.of());
        answer.setList(++number);
        last = now;
    }

    private List<TabletReport> others(List<TabletReport> tablets) {
        return tablets.stream()
                .filter(tablet -> !tablet.equals(last.get(name(tablet))))
                .toList();
    }

    private List<TabletName> gone(Map<TabletId, TabletReport> now) {
        List<TabletName> gone = new ArrayList<>();
        for (TabletId id : last.keySet()) {
            if (!now.containsKey(id)) {
                gone.add(new TabletName(id.tableId(), AvroBytes.buffer(id.endRow())));
            }
        }
        return gone;
    }

    /** Which tablet a report is of. */
    public static TabletId name(TabletReport report) {
        return new TabletId(report.getTableId(), AvroBytes.optionalBytes(report.getEndRow()));
    }

    /** The same of one that is gone. */
    public static TabletId name(TabletName gone) {
        return new TabletId(gone.getTableId(), AvroBytes.optionalBytes(gone.getEndRow()));
    }
}
