package bt.testing;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.model.TabletId;
import bt.record.Phase;
import bt.record.RequestReport;
import bt.record.ServerStatus;
import bt.record.TabletReport;
import java.util.List;
import java.util.Optional;

/** What a server says of itself that does nothing. */
public final class Statuses {
    private static final RequestReport NONE = new RequestReport(0L, 0L, List.of());

    static {
        // A status has records by default.
        AvroBytes.trustRecords();
    }

    private Statuses() {}

    public static ServerStatus of(long epoch, List<TabletReport> tablets) {
        return ServerStatus.newBuilder()
                .setServer("server")
                .setEpoch(epoch)
                .setLockHeld(true)
                .setPid(1)
                .setTablets(tablets)
                .setReads(NONE)
                .setWrites(NONE)
                .build();
    }

    /** It serves it. */
    public static TabletReport report(TabletId tablet) {
        return TabletReport.newBuilder()
                .setTableId(tablet.tableId())
                .setEndRow(AvroBytes.buffer(tablet.endRow()))
                .setPhase(Phase.SERVING)
                .setMemtableBytes(0)
                .setFileBytes(0)
                .setFiles(0)
                .build();
    }

    /** A tablet whose name has so many bytes, and stands in the order of these numbers. */
    public static TabletId tablet(int number, int nameBytes) {
        byte[] row = new byte[nameBytes];
        row[0] = (byte) (number >> 8);
        row[1] = (byte) number;
        return new TabletId(4, Optional.of(Bytes.wrap(row)));
    }
}
