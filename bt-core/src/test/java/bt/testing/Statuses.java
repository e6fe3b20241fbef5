package bt.testing;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.model.TabletId;
import bt.protocol.TabletListing;
import bt.record.Phase;
import bt.record.RequestReport;
import bt.record.ServerStatus;
import bt.record.TabletReport;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

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

    /** Of the tablets that it tells. */
    public static List<TabletId> names(ServerStatus status) {
        return status.getTablets().stream().map(TabletListing::name).toList();
    }

    /** Tablets with these numbers, the last one left out. */
    public static List<TabletId> tablets(int from, int to, int nameBytes) {
        return IntStream.range(from, to)
                .mapToObj(number -> tablet(number, nameBytes))
                .toList();
    }

    /** A tablet whose name has so many bytes, and stands in the order of these numbers. */
    private static TabletId tablet(int number, int nameBytes) {
        byte[] row = new byte[nameBytes];
        row[0] = (byte) (number >> 8);
        row[1] = (byte) number;
        return new TabletId(4, Optional.of(Bytes.wrap(row)));
    }
}
