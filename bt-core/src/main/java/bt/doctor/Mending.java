package bt.doctor;

import bt.base.BigtableException;
import bt.base.RejectedException;
import bt.coord.FileRights;
import bt.doctor.DoctorConfig.Depth;
import bt.doctor.TabletFacts.Claim;
import bt.doctor.TabletFacts.FileSight;
import bt.doctor.TabletFacts.LogSight;
import bt.fs.FileStore;
import bt.log.LogStream;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.metadata.TabletStates;
import bt.model.FamilySchema;
import bt.record.Phase;
import bt.record.TabletLocation;
import bt.record.TabletState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Mends rows of METADATA the way everybody changes them: on condition that nobody has changed the row since it was looked
 * at. So a repair can come too late, and can never undo what a server or a master has done meanwhile. One thread.
 */
final class Mending {
    /** How a reason to stay offline begins that the doctor gave, and may take back. */
    private static final String MARK = "bt doctor: ";

    private final MetadataTable metadata;
    private final FileStore files;
    private final Optional<FileRights> rights;
    private final Leases leases;

    Mending(MetadataTable metadata, FileStore files, Optional<FileRights> rights, Leases leases) {
        this.metadata = metadata;
        this.files = files;
        this.rights = rights;
        this.leases = leases;
    }

    /** What is to be mended, all of it before the first: the leases of several dead servers run out at the same time. */
    void begin(Facts facts) {
        if (facts instanceof TabletFacts tablet && mayBeReleased(tablet)) {
            leases.saw(tablet.row().location().getEpoch());
        }
    }

    /** What was done; empty where nothing could be, or where somebody was faster. */
    Optional<String> mend(Facts facts) throws BigtableException, InterruptedException {
        try {
            if (facts instanceof GuardedFile file && rights.isPresent()) {
                rights.get().mend(file.path());
                return Optional.of("has the rights in ZooKeeper that every file of the cluster has");
            }
            if (!(facts instanceof TabletFacts tablet)) {
                return Optional.empty();
            }
            Optional<String> done = takeBackMark(tablet);
            done = done.isPresent() ? done : release(tablet);
            return done.isPresent() ? done : mark(tablet);
        } catch (RejectedException overtaken) {
            return Optional.empty();
        }
    }

    /**
     * Of a server without a file, so that never serves again. Where it has served the tablet only when its log lies closed where
     * tablets are recovered from: before that it might still acknowledge a write that the next server would not find. And only
     * when its lease has run out: until then it might answer a read with what the next server has changed already.
     */
    private Optional<String> release(TabletFacts tablet) throws BigtableException, InterruptedException {
        MetadataRow row = tablet.row();
        TabletLocation location = row.location();
        if (!mayBeReleased(tablet)) {
            return Optional.empty();
        }
        if (location.getPhase() == Phase.LOADING) {
            // It never served the tablet, and never will once the row is another.
            metadata.replace(row, TabletStates.unassigned(), row.state(), event(location));
            return Optional.of("is nobody's now, to be loaded by another server");
        }
        long epoch = location.getEpoch();
        String stream = tablet.isOfMetadata() ? LogStream.METADATA : LogStream.USER;
        LogSight log = new LogChecks(files, Depth.OPEN).dead(epoch, stream);
        if (!log.isThere() || !log.isHeldWell() || !log.directory().startsWith(LogStream.RECOVERED)) {
            return Optional.empty();
        }
        List<Long> logs = new ArrayList<>(row.state().getLogs());
        if (!logs.contains(epoch)) {
            logs.add(epoch);
        }
        TabletState state = TabletState.newBuilder(row.state()).setLogs(logs).build();
        leases.outwait(epoch);
        metadata.replace(row, TabletStates.unassigned(), state, event(location));
        return Optional.of("is nobody's now, to be recovered from " + log.directory());
    }

    /** Whether METADATA gives it to a server without a file, and nobody serves it. */
    private static boolean mayBeReleased(TabletFacts tablet) {
        boolean isServed = tablet.claims().stream().anyMatch(claim -> claim.phase() == Phase.SERVING);
        return tablet.row().location().getPhase() != Phase.UNASSIGNED
                && tablet.named().isEmpty()
                && !isServed;
    }

    private static String event(TabletLocation dead) {
        return "bt doctor: " + dead.getServer() + " is dead";
    }

    /**
     * So that the reason stands where every load looks for it, and no server tries in vain. Not for a file of open writes, without
     * which the tablet is served.
     */
    private Optional<String> mark(TabletFacts tablet) throws BigtableException, InterruptedException {
        MetadataRow row = tablet.row();
        boolean served = tablet.claims().stream().map(Claim::phase).anyMatch(Phase.SERVING::equals);
        Optional<FileSight> missing =
                needed(tablet).filter(file -> !file.exists()).findFirst();
        if (served || missing.isEmpty() || row.state().getOffline() != null) {
            return Optional.empty();
        }
        String reason = MARK + missing.get().reference().getPath() + " is missing";
        metadata.replace(
                row,
                row.location(),
                TabletState.newBuilder(row.state()).setOffline(reason).build(),
                reason);
        return Optional.of("is marked to stay offline until the file is back and this is run again");
    }

    private static Stream<FileSight> needed(TabletFacts tablet) {
        return tablet.files().stream()
                .filter(file -> !FamilySchema.areOfServers(file.reference().getFamilies()));
    }

    private Optional<String> takeBackMark(TabletFacts tablet) throws BigtableException, InterruptedException {
        MetadataRow row = tablet.row();
        String reason = row.state().getOffline();
        boolean whole =
                needed(tablet).allMatch(file -> file.exists() && file.failure().isEmpty());
        if (reason == null || !reason.startsWith(MARK) || !whole) {
            return Optional.empty();
        }
        metadata.replace(
                row,
                row.location(),
                TabletState.newBuilder(row.state()).setOffline(null).build(),
                "bt doctor: all files that it needs are there");
        return Optional.of("may be loaded again: all files that it needs are there");
    }
}
