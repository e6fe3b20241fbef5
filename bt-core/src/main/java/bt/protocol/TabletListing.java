package bt.protocol;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.model.TabletId;
import bt.record.ServerStatus;
import bt.record.ServerStatusRequest;
import bt.record.TabletName;
import bt.record.TabletReport;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The tablets of a server as its master has been told of them: of a list that the master has heard it is told only what has changed since.
 * Lists have numbers, so one that was lost on its way is known to be.
 *
 * <p>How long the names of tablets are their users decide, so a list may have any length. What has no room in one answer is among
 * what has changed for the next. Which tablets there are, and whether they are served, is told to the end before the master takes
 * the list for whole: it asks a server for what that does not tell of, and the server ends if it does not have it. Numbers alone, like
 * bytes, may wait for a later look. One thread.
 */
public final class TabletListing {
    /** In place of a list's number: whoever asks has heard none. */
    public static final long NOTHING_HEARD = -1;

    /** In place of a list's number: whoever asks wants all tablets, each time, in one answer, however long that is. */
    public static final long WHOLE_EACH_TIME = -2;

    /** In place of a list's number: whoever asks wants no tablets. */
    public static final long NO_TABLETS = -3;

    /** Of what one answer tells of tablets: a fifth of a frame, and on its way in time through a slow network. */
    public static final int PART_BYTES = 16 << 20;

    /** Of the names beside that: whoever reads them needs to know that there are some, and how many. */
    private static final int NAMES_BYTES = 4 << 20;

    /** Of a report its numbers, each of which has at most ten bytes. */
    private static final int REPORT_BYTES = 120;

    private final int partBytes;
    private long number;

    /** What the master has been told, what it was told first before all else. */
    private final Map<TabletId, TabletReport> told = new LinkedHashMap<>();

    public TabletListing() {
        this(PART_BYTES);
    }

    TabletListing(int partBytes) {
        this.partBytes = partBytes;
    }

    /** How a server is asked for its status by who tells it nothing. */
    public static ServerStatusRequest question(long masterEpoch, long heardList) {
        return new ServerStatusRequest(
                masterEpoch, null, -1L, -1L, List.of(), List.of(), List.of(), heardList, 0L, null);
    }

    /** Puts into an answer what is to be told of these tablets, all there are, to who has heard the list of this number; of none, all. */
    public void tell(List<TabletReport> tablets, long heard, ServerStatus answer) {
        boolean isKnown = heard >= 0 && heard == number;
        if (!isKnown) {
            told.clear();
        }
        Map<TabletId, TabletReport> now = new LinkedHashMap<>();
        tablets.forEach(tablet -> now.put(name(tablet), tablet));
        Part part = new Part(partBytes);
        gone(now, part);
        others(now, part);
        numbers(now, part);
        answer.setListedBefore(isKnown ? heard : NOTHING_HEARD);
        answer.setTablets(part.tablets);
        answer.setGone(part.gone);
        answer.setListGoesOn(part.goesOn);
        answer.setList(++number);
    }

    private void gone(Map<TabletId, TabletReport> now, Part part) {
        Iterator<TabletId> names = told.keySet().iterator();
        while (names.hasNext()) {
            TabletId id = names.next();
            if (!now.containsKey(id)) {
                if (part.takes(bytes(id))) {
                    part.gone.add(record(id));
                    names.remove();
                } else {
                    part.goesOn = true;
                }
            }
        }
    }

    /** Those that are new, or served, or failed, otherwise than the master knows. */
    private void others(Map<TabletId, TabletReport> now, Part part) {
        now.forEach((id, tablet) -> {
            if (!isAlike(tablet, told.get(id))) {
                if (part.takes(bytes(tablet))) {
                    part.tablets.add(tablet);
                    told.remove(id);
                    told.put(id, tablet);
                } else {
                    part.goesOn = true;
                }
            }
        });
    }

    private static boolean isAlike(TabletReport tablet, @Nullable TabletReport before) {
        return before != null
                && tablet.getPhase() == before.getPhase()
                && Objects.equals(tablet.getFailure(), before.getFailure())
                && tablet.getFailurePasses() == before.getFailurePasses();
    }

    /** What was told longest ago before all else: where they do not all have room, each has its turn. */
    private void numbers(Map<TabletId, TabletReport> now, Part part) {
        Map<TabletId, TabletReport> next = new LinkedHashMap<>();
        for (Map.Entry<TabletId, TabletReport> before : told.entrySet()) {
            TabletReport tablet = now.get(before.getKey());
            if (tablet != null && !tablet.equals(before.getValue())) {
                if (isAlike(tablet, before.getValue()) && part.takes(bytes(tablet))) {
                    part.tablets.add(tablet);
                    next.put(before.getKey(), tablet);
                } else {
                    break;
                }
            }
        }
        told.keySet().removeAll(next.keySet());
        told.putAll(next);
    }

    /** The first of these, as many as an answer has room for beside its list. */
    public static List<TabletName> someNames(Collection<TabletId> tablets) {
        List<TabletName> names = new ArrayList<>();
        int bytes = 0;
        for (TabletId id : tablets) {
            bytes += bytes(id);
            if (bytes > NAMES_BYTES) {
                break;
            }
            names.add(record(id));
        }
        return names;
    }

    private static TabletName record(TabletId id) {
        return new TabletName(id.tableId(), AvroBytes.buffer(id.endRow()));
    }

    private static int bytes(TabletId id) {
        return REPORT_BYTES + id.endRow().map(Bytes::length).orElse(0);
    }

    /** Of an answer, at most. */
    static int bytes(TabletReport tablet) {
        int row = tablet.getEndRow() == null ? 0 : tablet.getEndRow().remaining();
        return REPORT_BYTES
                + row
                + bytes(tablet.getFailure())
                + bytes(tablet.getCompactionFailure())
                + bytes(tablet.getFlushFailure());
    }

    /** At most, in UTF-8. */
    private static int bytes(@Nullable String text) {
        return text == null ? 0 : 3 * text.length();
    }

    /** What one answer tells. */
    private static final class Part {
        private final List<TabletReport> tablets = new ArrayList<>();
        private final List<TabletName> gone = new ArrayList<>();
        private int left;
        private boolean goesOn;

        private Part(int bytes) {
            this.left = bytes;
        }

        /** The first always, so that each answer tells something. */
        private boolean takes(int bytes) {
            boolean takes = bytes <= left || (tablets.isEmpty() && gone.isEmpty());
            left -= takes ? bytes : 0;
            return takes;
        }
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
