package bt.examples.hostile;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.Scheduler.Worker;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.connect.Connect;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.examples.hostile.Honest.Latency;
import bt.main.MiniBigtable;
import bt.metadata.ProcessFiles;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.rpc.RpcNetwork;
import bt.thrift.gateway.GatewayConfig;
import bt.thrift.gateway.Protocol;
import bt.thrift.gateway.ThriftGateway;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.apache.log4j.Level;
import org.apache.log4j.Logger;
import org.apache.thrift.TException;

/**
 * A cluster and a gateway in this JVM, real sockets, and callers of both kinds: honest ones before and meanwhile, bad ones until so
 * many frames are sent. One thread.
 */
public final class HostileTrial {
    private static final String TABLE = "honest";
    private static final int RPC_ATTACKERS = 3;
    private static final int THRIFT_ATTACKERS = 2;
    private static final int THRIFT_PART = 20;
    private static final long CALM_MILLIS = 2_000;
    private static final int CALM_CALLS = 50;
    private static final long CALL_MILLIS = 60_000;
    private static final long LOOK_MILLIS = 20;
    private static final long PAUSE_MILLIS = 5;

    /** So long a connection may be kept that there is a reason to close: on a machine that has other work. */
    private static final int CLOSE_MILLIS = 60_000;

    /** Twice as long as a bad caller waits for an answer, or to be closed. */
    private static final long STILL_MILLIS = 120_000;

    private static final long END_MILLIS = 120_000;

    /** More than there are event loops: each has a turn with new connections. */
    private static final int PROBES = 16;

    private final HostileTally tally = new HostileTally();
    private final ThreadScheduler scheduler;
    private final Ports ports;

    private HostileTrial(ThreadScheduler scheduler, Ports ports) {
        this.scheduler = scheduler;
        this.ports = ports;
    }

    /** Where the tablet server, the master and the gateway listen. */
    private record Ports(Address server, Address master, int gateway) {}

    /** So many frames, a twentieth of them at the gateway. */
    public static HostileReport run(long seed, long frames) throws IOException, InterruptedException {
        // A line for each connection that is closed is right, and half a million of them are not what is to be seen
        // here.
        for (String loud : List.of("bt.rpc", "bt.thrift.gateway")) {
            Logger.getLogger(loud).setLevel(Level.ERROR);
        }
        try (ThreadScheduler scheduler = new ThreadScheduler();
                MiniBigtable cluster = MiniBigtable.start();
                ThriftGateway gateway =
                        ThriftGateway.start(cluster.bigtable(), new GatewayConfig("127.0.0.1", 0, Protocol.COMPACT))) {
            LockService locks = Connect.lockService(cluster.at());
            try {
                Ports ports = new Ports(server(cluster.bigtable()), master(locks), gateway.port());
                return new HostileTrial(scheduler, ports).run(seed, frames, cluster.bigtable(), locks);
            } finally {
                locks.close();
            }
        } catch (TException broken) {
            throw new UnavailableException("gateway: " + broken.getMessage(), Outcome.UNKNOWN);
        }
    }

    private HostileReport run(long seed, long frames, Bigtable bigtable, LockService locks)
            throws IOException, InterruptedException, TException {
        TableSchema table = bigtable.admin()
                .createTable(
                        TableSchema.draft(TABLE)
                                .family("f", new GcRule.MaxVersions(1))
                                .build(),
                        List.of());
        long longRow = LongRow.create(bigtable);
        Map<String, Honest> honest = new TreeMap<>(Map.of(
                "direct", honest("direct", HonestDoors.direct(locks, scheduler, TABLE)),
                "inside", honest("inside", HonestDoors.inside(locks, scheduler)),
                "master", honest("master", HonestDoors.master(locks, scheduler)),
                "thrift", honest("thrift", HonestDoors.thrift(ports.gateway(), TABLE))));
        List<Worker> callers = new ArrayList<>();
        honest.forEach((name, each) ->
                callers.add(scheduler.start("honest " + name, () -> each.run(scheduler, PAUSE_MILLIS))));
        scheduler.pause(CALM_MILLIS);
        awaitCalls(honest, CALM_CALLS);
        Map<String, Latency> calm = latencies(honest);

        Siege.Party rpc = atServers(target(table.id(), longRow), seed, frames - frames / THRIFT_PART);
        Siege.Party thrift = atGateway(seed, frames / THRIFT_PART);
        Siege.Outcome siege = new Siege(scheduler, tally, STILL_MILLIS).run(List.of(rpc, thrift));
        awaitCalls(honest, 1);
        Map<String, Latency> stormy = latencies(honest);
        probe();
        honest.values().forEach(Honest::stop);
        for (Worker caller : callers) {
            if (!caller.join(END_MILLIS)) {
                tally.anomaly("an honest caller waits for ever");
            }
        }
        return new HostileReport(
                seed,
                new HostileReport.Sent(rpc.answered().get(), thrift.answered().get(), siege.seconds()),
                tally.closedConnections(),
                siege.held(),
                calm,
                stormy,
                tally.anomalies(),
                tally.words());
    }

    /** Returns when each honest caller has done so much, or has come to nothing for so long that it never will. */
    private void awaitCalls(Map<String, Honest> honest, int least) throws InterruptedException {
        Deadline deadline = Deadline.after(scheduler.clock(), CALL_MILLIS);
        while (!deadline.isOver() && honest.values().stream().anyMatch(each -> each.calls() < least)) {
            scheduler.pause(LOOK_MILLIS);
        }
    }

    private RpcAttack.Target target(long table, long longRow) throws BigtableException, InterruptedException {
        try (RpcNetwork network = RpcNetwork.open("hostile", scheduler.clock(), 1)) {
            LongRow.Asked inside = LongRow.ask(longRow, ports.server(), network, scheduler);
            return new RpcAttack.Target(List.of(ports.server(), ports.master()), table, inside);
        }
    }

    private Siege.Party atServers(RpcAttack.Target target, long seed, long frames) {
        SplittableRandom seeds = new SplittableRandom(seed);
        List<Attack> attacks = new ArrayList<>();
        for (int i = 0; i < RPC_ATTACKERS; i++) {
            attacks.add(new RpcAttack(target, seeds.split(), tally, CLOSE_MILLIS));
        }
        return new Siege.Party("bad callers of the servers", attacks, frames);
    }

    private Siege.Party atGateway(long seed, long frames) throws TException {
        ThriftAttack.Target target = new ThriftAttack.Target(ports.gateway(), TABLE);
        SplittableRandom seeds = new SplittableRandom(~seed);
        List<Attack> attacks = new ArrayList<>();
        for (int i = 0; i < THRIFT_ATTACKERS; i++) {
            attacks.add(new ThriftAttack(target, seeds.split(), tally, CLOSE_MILLIS));
        }
        return new Siege.Party("bad callers of the gateway", attacks, frames);
    }

    /** Whether after all that every port lets a stranger in and answers. */
    private void probe() {
        probe("the tablet server, flooded with rows,", () -> RpcAttack.flood(ports.server()));
        probe("the tablet server, sent a table that swells,", () -> RpcAttack.swell(ports.server()));
        probe("the master, sent a table that swells,", () -> RpcAttack.swell(ports.master()));
        probe("the tablet server, sent expressions that unfold,", () -> RpcAttack.unfold(ports.server()));
        probe("the master, sent expressions that unfold,", () -> RpcAttack.unfold(ports.master()));
        for (int i = 0; i < PROBES; i++) {
            probe("the tablet server", () -> RpcAttack.probe(ports.server()));
            probe("the master", () -> RpcAttack.probe(ports.master()));
            probe("the gateway", () -> ThriftAttack.probe(ports.gateway()));
        }
    }

    /** A stranger's call. */
    private interface Probe {
        void run() throws IOException, TException;
    }

    private void probe(String what, Probe probe) {
        if (tally.isEnough()) {
            return;
        }
        try {
            probe.run();
        } catch (IOException | TException failed) {
            tally.anomaly("in the end " + what + " does not answer a stranger: " + failed);
        }
    }

    private Honest honest(String name, Honest.Door door) {
        return new Honest(name, door, scheduler.clock(), tally);
    }

    private static Map<String, Latency> latencies(Map<String, Honest> honest) {
        Map<String, Latency> latencies = new TreeMap<>();
        honest.forEach((name, each) -> latencies.put(name, each.latency()));
        return latencies;
    }

    private static Address server(Bigtable bigtable) throws BigtableException {
        return Address.parse(bigtable.admin().clusterStatus().servers().get(0).address());
    }

    private static Address master(LockService locks) throws BigtableException {
        SmallFile file = locks.read(Paths.MASTER)
                .orElseThrow(() -> new UnavailableException("no master rules", Outcome.NOT_APPLIED));
        return ProcessFiles.master(file);
    }
}
