package bt.doctor;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.coord.LockService;
import bt.doctor.ClusterReader.Look;
import bt.doctor.Diagnosis.Repair;
import bt.fs.FileStore;
import bt.metadata.MetadataTable;
import bt.protocol.Network;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;

/**
 * Examines a cluster: the ten invariants of {@link Rule}, while it works. It asks every server what it holds, reads METADATA
 * page by page, follows the references into the file store, and looks again at all that seemed broken before it tells it.
 * In memory are a page of METADATA and some 20 bytes for every tablet and every file. One thread.
 */
public final class Doctor {
    private final DoctorConfig config;
    private final Ports ports;

    public Doctor(DoctorConfig config, Ports ports) {
        this.config = config;
        this.ports = ports;
    }

    /** What a doctor works through. The random generator spreads retries. */
    public record Ports(
            FileStore files, LockService locks, Network network, Scheduler scheduler, RandomGenerator random) {}

    /** Changes nothing. UNAVAILABLE when lock service or file store do not answer. */
    public Diagnosis examine() throws BigtableException, InterruptedException {
        return examine(false);
    }

    /**
     * Mends too what a conditional change of METADATA can mend, and who may change the lock service's files; what is broken
     * afterwards are the findings.
     */
    public Diagnosis mend() throws BigtableException, InterruptedException {
        return examine(true);
    }

    private Diagnosis examine(boolean mends) throws BigtableException, InterruptedException {
        ServerReader servers = new ServerReader(ports.locks(), ports.network(), ports.scheduler());
        ClusterReader cluster = new ClusterReader(ports.locks(), ports.files(), servers);
        TabletReader tablets = new TabletReader(
                ports.files(),
                config.depth(),
                servers,
                cluster,
                ports.scheduler().clock());
        MetadataTable metadata = new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());
        Walk walk = new Walk(metadata);
        Suspicions suspicions = new Suspicions(ports.scheduler(), config.patienceMillis());
        Look look = cluster.look();
        suspicions.examine(
                new Membership(),
                look.cluster(),
                () -> Optional.of(cluster.look().cluster()));
        suspicions.examine(
                new Rights(), look.cluster(), () -> Optional.of(cluster.look().cluster()));
        new GuardReader(ports.locks()).examine(suspicions);
        new DrainReader(ports.locks(), servers, ports.scheduler().clock())
                .examine(new DrainProgress(config.stuckMillis()), suspicions);
        new SweepReader(ports.locks(), ports.scheduler().clock())
                .examine(new SweepProgress(config.stuckMillis()), suspicions);
        Examination examination = new Examination(config, walk, tablets, cluster, look, suspicions);
        List<String> omissions = new ArrayList<>();
        boolean whole = examination.run();
        if (whole) {
            new StrayReader(servers, walk, look).examine(suspicions);
            new AskedReader(ports.locks(), servers, walk, ports.scheduler().clock(), config.stuckMillis())
                    .examine(suspicions);
            new Leftovers(config, ports.files(), walk, look, ports.scheduler().clock())
                    .examine(examination.needs(), suspicions);
        } else {
            omissions.add("not every row of METADATA could be read: what no row refers to was not looked for");
        }
        List<Suspicion<?>> broken = suspicions.confirm();
        List<Repair> repairs = mends
                ? repair(
                        broken,
                        new Mending(
                                metadata,
                                ports.files(),
                                ports.locks().rights(),
                                new Leases(
                                        ports.scheduler(),
                                        Math.max(config.leaseMillis(), servers.longestLeaseMillis()))))
                : List.of();
        if (suspicions.beyond() > 0) {
            omissions.add(suspicions.beyond() + " more places look broken and were not looked at again");
        }
        config.depth().omission().ifPresent(omissions::add);
        return new Diagnosis(
                broken.stream().map(Suspicion::finding).toList(),
                repairs,
                omissions,
                examination.tablets(),
                tablets.filesLooked(),
                look.cluster().servers().size());
    }

    /** Takes out of the list what is no longer broken then. */
    private static List<Repair> repair(List<Suspicion<?>> broken, Mending mending)
            throws BigtableException, InterruptedException {
        List<Repair> repairs = new ArrayList<>();
        broken.forEach(suspicion -> suspicion.begin(mending));
        for (Suspicion<?> suspicion : List.copyOf(broken)) {
            if (suspicion.look()) {
                Place place = suspicion.finding().place();
                suspicion.mend(mending).ifPresent(done -> repairs.add(new Repair(place, done)));
            }
            if (!suspicion.look()) {
                broken.remove(suspicion);
            }
        }
        return repairs;
    }
}
