package bt.protocol;

import bt.model.TabletId;
import bt.record.ServerStatus;
import bt.record.TabletReport;
import java.util.LinkedHashMap;
import java.util.Map;

/** A list of a server's tablets of which the end has not come yet: what is missing there is no word of the server on any tablet. One thread. */
public final class TabletParts {
    private final Map<TabletId, TabletReport> tablets;
    private long list = TabletListing.NOTHING_HEARD;

    /** On top of these; where the server begins anew, of none. */
    public TabletParts(Map<TabletId, TabletReport> before) {
        this.tablets = new LinkedHashMap<>(before);
    }

    /** The next part. */
    public void add(ServerStatus next) {
        next.getGone().forEach(gone -> tablets.remove(TabletListing.name(gone)));
        next.getTablets().forEach(report -> tablets.put(TabletListing.name(report), report));
        list = next.getList();
    }

    /** The number of the last part, by which the next one is asked for. */
    public long list() {
        return list;
    }

    public Map<TabletId, TabletReport> tablets() {
        return tablets;
    }
}
