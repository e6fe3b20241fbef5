package bt.doctor;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.doctor.ClusterReader.Look;
import bt.doctor.DoctorConfig.Depth;
import bt.doctor.TabletFacts.Claim;
import bt.doctor.TabletFacts.FileSight;
import bt.doctor.TabletFacts.LogSight;
import bt.doctor.TabletFacts.Times;
import bt.fs.FileStore;
import bt.log.LogStream;
import bt.metadata.MetadataRow;
import bt.model.TableSchema;
import bt.record.FileReference;
import bt.record.Phase;
import bt.record.TableRecord;
import bt.record.TabletLocation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Collects the facts of one tablet. One thread. */
final class TabletReader {
    private final FileChecks files;
    private final LogChecks logs;
    private final ServerReader servers;
    private final ClusterReader cluster;
    private final Clock clock;

    TabletReader(FileStore store, Depth depth, ServerReader servers, ClusterReader cluster, Clock clock) {
        this.files = new FileChecks(store, depth);
        this.logs = new LogChecks(store, depth);
        this.servers = servers;
        this.cluster = cluster;
        this.clock = clock;
    }

    /** From here on a page of rows is looked at that has just been read. */
    void begin() {
        files.forget();
    }

    long filesLooked() {
        return files.looked();
    }

    /** By what was asked before METADATA was read. */
    TabletFacts read(Expansion.Living living, Look look) {
        MetadataRow row = living.row();
        TabletLocation location = row.location();
        return facts(
                living,
                Optional.ofNullable(look.cluster().tables().get(row.id().tableId())),
                look.cluster().server(location.getServer(), location.getEpoch()),
                look.claims().take(row.id()));
    }

    /** Anew: asks those servers that may have the tablet. */
    TabletFacts readAgain(Expansion.Living living, List<Claim> before) throws BigtableException, InterruptedException {
        files.forget();
        logs.forget();
        MetadataRow row = living.row();
        List<Claim> claims = new ArrayList<>();
        TabletLocation location = row.location();
        Optional<ServerSight> named = claim(location.getServer(), location.getEpoch(), row, claims);
        for (Claim claim : before) {
            if (claim.epoch() != location.getEpoch()) {
                claim(claim.server(), claim.epoch(), row, claims);
            }
        }
        Optional<TableRecord> table = row.id().tableId() == TableSchema.METADATA_ID
                ? Optional.empty()
                : cluster.table(row.id().tableId());
        return facts(living, table, named, claims);
    }

    private Optional<ServerSight> claim(String server, long epoch, MetadataRow row, List<Claim> claims)
            throws BigtableException, InterruptedException {
        List<Claim> found = new ArrayList<>();
        Optional<ServerSight> seen = servers.look(server, epoch, status -> status.getTablets().stream()
                .filter(report ->
                        status.getEpoch() == epoch && Claims.id(report).equals(row.id()))
                .forEach(report -> found.add(
                        new Claim(server, epoch, report.getPhase(), Optional.ofNullable(report.getFailure())))));
        claims.addAll(found);
        return seen;
    }

    private TabletFacts facts(
            Expansion.Living living, Optional<TableRecord> table, Optional<ServerSight> named, List<Claim> claims) {
        MetadataRow row = living.row();
        List<FileSight> sights = new ArrayList<>();
        for (FileReference reference : row.state().getFiles()) {
            sights.add(files.look(reference));
        }
        Times times = new Times(living.changedMicros(), clock.micros());
        return new TabletFacts(row, times, table, sights, logs(row, named.isPresent()), named, claims);
    }

    private List<LogSight> logs(MetadataRow row, boolean lives) {
        String stream = row.id().tableId() == TableSchema.METADATA_ID ? LogStream.METADATA : LogStream.USER;
        List<LogSight> needed = new ArrayList<>();
        for (long epoch : row.state().getLogs()) {
            needed.add(logs.recovered(epoch, stream));
        }
        long epoch = row.location().getEpoch();
        if (row.location().getPhase() != Phase.UNASSIGNED && lives) {
            needed.add(logs.living(epoch, stream));
        } else if (row.location().getPhase() == Phase.SERVING) {
            // Who died while it was to load the tablet has written nothing of it.
            needed.add(logs.dead(epoch, stream));
        }
        return needed;
    }
}
