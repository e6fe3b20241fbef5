package bt.master;

import bt.base.AvroBytes;
import bt.metadata.Schemas;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.Phase;
import bt.record.ServerStatus;
import bt.record.TablePhase;
import bt.record.TableRecord;
import bt.record.TabletName;
import bt.record.TabletReport;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/** What a master sees where every server that lives has answered. */
final class Sights {
    static {
        // A status has records by default.
        AvroBytes.trustRecords();
    }

    private Sights() {}

    /** Servers in this order, each with what it says of its tablets. */
    static Sight of(Map<Member, List<TabletReport>> reports) {
        Map<Member, Poll.Holdings> answered = new LinkedHashMap<>();
        reports.forEach((server, tablets) -> answered.put(server, leaving(server, tablets, List.of())));
        return new Sight(List.copyOf(reports.keySet()), List.of(), answered, Set.of());
    }

    /** The same, where each has said that its memory is full. */
    static Sight full(Sight sight) {
        Map<Member, Poll.Holdings> answered = new LinkedHashMap<>();
        sight.answered()
                .forEach((server, holdings) -> answered.put(
                        server,
                        Poll.Holdings.of(ServerStatus.newBuilder(holdings.status())
                                .setFull(true)
                                .build())));
        return new Sight(sight.living(), sight.unlocked(), answered, sight.draining());
    }

    /** The same, where each says how much of so much memory its tablets take. */
    static Sight taking(Sight sight, ToLongFunction<Member> bytes, long mostBytes) {
        Map<Member, Poll.Holdings> answered = new LinkedHashMap<>();
        sight.answered()
                .forEach((server, holdings) -> answered.put(
                        server,
                        Poll.Holdings.of(ServerStatus.newBuilder(holdings.status())
                                .setTabletHeapBytes(bytes.applyAsLong(server))
                                .setMostTabletHeapBytes(mostBytes)
                                .build())));
        return new Sight(sight.living(), sight.unlocked(), answered, sight.draining());
    }

    /** A table of this id, with a family f. */
    static TableRecord table(long id) {
        return TableRecord.newBuilder(Schemas.encode(
                        TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build()))
                .setId(id)
                .setVersion(1)
                .setPhase(TablePhase.ACTIVE)
                .build();
    }

    /** Of a tablet, whatever has no bytes. */
    static TabletReport report(TabletId tablet, Phase phase) {
        return TabletReport.newBuilder()
                .setTableId(tablet.tableId())
                .setEndRow(AvroBytes.buffer(tablet.endRow()))
                .setPhase(phase)
                .setMemtableBytes(0)
                .setFileBytes(0)
                .setFiles(0)
                .build();
    }

    /** What a server says of its tablets, and which it has given up without METADATA saying so yet. */
    static Poll.Holdings leaving(Member server, List<TabletReport> tablets, List<TabletId> leaving) {
        return leaving(server, tablets, leaving, leaving.size());
    }

    /** The same, where it has no room for the names of all of them. */
    static Poll.Holdings leaving(Member server, List<TabletReport> tablets, List<TabletId> leaving, int inAll) {
        return Poll.Holdings.of(ServerStatus.newBuilder()
                .setLeavingInAll(inAll)
                .setServer(server.id())
                .setEpoch(server.epoch())
                .setLockHeld(true)
                .setPid(1)
                .setTablets(tablets)
                .setLeaving(leaving.stream()
                        .map(tablet -> new TabletName(tablet.tableId(), AvroBytes.buffer(tablet.endRow())))
                        .toList())
                .build());
    }
}
