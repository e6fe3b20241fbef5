package bt.main;

import bt.base.BigtableException;
import bt.base.RejectedException;
import bt.base.ThreadScheduler;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.connect.ClusterAddress;
import bt.connect.Connect;
import bt.connect.LocalUser;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.doctor.Diagnosis;
import bt.doctor.Doctor;
import bt.doctor.DoctorConfig;
import bt.doctor.DoctorConfig.Depth;
import bt.rpc.RpcNetwork;
import java.security.SecureRandom;
import picocli.CommandLine.Option;

/** {@code bt doctor}. Exit code 1 when something is broken. */
@picocli.CommandLine.Command(
        name = "doctor",
        description = "Checks the structure of a cluster while it works: tablets, files, logs, servers.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt doctor", "  bt doctor --files read", "  bt doctor --fix"})
public final class DoctorCommand implements Command {
    @Option(
            names = "--files",
            paramLabel = "names|open|read",
            description =
                    "How far files are looked into: that they are there, that they open (the default), every block and its"
                            + " checksum. What was not looked at is said.")
    private Depth depth = Depth.OPEN;

    @Option(
            names = "--fix",
            description =
                    "Mend what a conditional change of METADATA can mend; each repair is printed, what is broken still"
                            + " comes after.")
    private boolean fix;

    @Override
    public Group group() {
        return Group.CLUSTER;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        ServerSettings settings = ServerSettings.read(invocation.configuration());
        try (Opened opened = new Opened()) {
            ThreadScheduler scheduler = opened.add(new ThreadScheduler());
            LockService locks = opened.add(lockService(settings.cluster()));
            RpcNetwork network = opened.add(RpcNetwork.open(LocalUser.name(), scheduler.clock(), 1));
            String root = settings.root().isEmpty() ? FileStores.announced(locks) : settings.root();
            Doctor.Ports ports =
                    new Doctor.Ports(FileStores.open(root, scheduler), locks, network, scheduler, new SecureRandom());
            Doctor doctor = new Doctor(config(settings), ports);
            Diagnosis diagnosis = fix ? doctor.mend() : doctor.examine();
            if (invocation.json()) {
                DiagnosisPrinter.document(invocation.out(), diagnosis);
            } else {
                DiagnosisPrinter.lines(invocation.out(), diagnosis);
            }
            return diagnosis.isHealthy() ? ExitCode.DONE : ExitCode.NOTHING_FOUND;
        }
    }

    /**
     * A dead server is replaced when its session and its lease have ended: thrice that, before anything is told. Garbage goes
     * with the second sweep that finds it a grace later: again thrice that.
     */
    private DoctorConfig config(ServerSettings settings) {
        DoctorConfig config =
                DoctorConfig.DEFAULT.at(depth).leased(settings.tabletServer().leaseMillis());
        long replaced = settings.sessionMillis() + config.leaseMillis();
        return config.patient(Math.max(config.patienceMillis(), 3 * replaced))
                .graced(3 * settings.master().graces().garbageMillis());
    }

    private static LockService lockService(ClusterAddress address) throws BigtableException {
        LockService locks = Connect.lockService(address.toString());
        boolean known = false;
        try {
            known = locks.read(Paths.INSTANCE).isPresent();
        } finally {
            if (!known) {
                locks.close();
            }
        }
        if (!known) {
            throw new RejectedException("ZooKeeper knows no cluster " + address, "name one that was started there");
        }
        return locks;
    }
}
