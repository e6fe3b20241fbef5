package bt.doctor;

import bt.base.AvroBytes;
import bt.doctor.TabletFacts.Claim;
import bt.metadata.MetadataKeys;
import bt.model.TabletId;
import bt.record.Phase;
import bt.record.TabletReport;
import bt.sstable.FilterHash;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.ObjLongConsumer;

/** What all servers said of their tablets before METADATA was read, kept small. One thread. */
final class Claims {
    private static final int KINDS = 3;
    private static final int LOADING = 0;
    private static final int FAILED = 1;
    private static final int SERVING = 2;

    private final List<ServerSight> servers;

    /** Under a tablet's hash: the server's place in the list, times the kinds, and the kind. */
    private final HashTable claims = new HashTable();

    Claims(List<ServerSight> servers) {
        this.servers = servers;
    }

    void add(int server, TabletReport report) {
        int kind = report.getPhase() == Phase.SERVING ? SERVING : report.getFailure() == null ? LOADING : FAILED;
        claims.add(hash(id(report)), server * KINDS + kind);
    }

    /** Those of the tablet, once: what is left in the end is of tablets that METADATA does not know. */
    List<Claim> take(TabletId tablet) {
        List<Claim> found = new ArrayList<>();
        claims.visit(hash(tablet), value -> found.add(claim(value)));
        return found;
    }

    /** Shows the servers, by their place in the list, that serve what nobody took, with the hash of that. */
    void forEachLeft(ObjLongConsumer<ServerSight> visitor) {
        claims.forEach((hash, value) -> {
            if (value % KINDS == SERVING) {
                visitor.accept(servers.get(value / KINDS), hash);
            }
        });
    }

    static TabletId id(TabletReport report) {
        return new TabletId(report.getTableId(), AvroBytes.optionalBytes(report.getEndRow()));
    }

    static long hash(TabletId tablet) {
        return HashTable.used(FilterHash.of(MetadataKeys.of(tablet)).value());
    }

    private Claim claim(int value) {
        ServerSight server = servers.get(value / KINDS);
        int kind = value % KINDS;
        return new Claim(
                server.id(),
                server.epoch(),
                kind == SERVING ? Phase.SERVING : Phase.LOADING,
                kind == FAILED ? Optional.of("its load failed") : Optional.empty());
    }
}
