package bt.examples.hostile;

import bt.base.AvroBytes;
import bt.base.BigtableException.Outcome;
import bt.base.Scheduler;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.connect.Connect;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.examples.hostile.Honest.Latency;
import bt.main.MiniBigtable;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.record.MasterFile;
import bt.thrift.gateway.GatewayConfig;
import bt.thrift.gateway.Protocol;
import bt.thrift.gateway.ThriftGateway;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
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
    private static final int EARLY_PART = 10;
    private static final long CALM_MILLIS = 2_000;
    private static final long PAUSE_MILLIS = 5;
    private static final long LOOK_MILLIS = 20;
    private static final long END_MILLIS = 120_000;

    private final HostileTally tally = new HostileTally();
    private final ThreadScheduler scheduler;
    private final List<Scheduler.Worker> workers = new ArrayList<>();

    private HostileTrial(ThreadScheduler scheduler) {
        this.scheduler = scheduler;
    }

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
            return new HostileTrial(scheduler).run(seed, frames, cluster, gateway);
        } catch (TException broken) {
            throw new UnavailableException("gateway: " + broken.getMessage(), Outcome.UNKNOWN);
        }
    }

    private HostileReport run(long seed, long frames, MiniBigtable cluster, ThriftGateway gateway)
            throws IOException, InterruptedException, TException {
        Bigtable bigtable = cluster.bigtable();
        TableSchema table = bigtable.admin()
                .createTable(
                        TableSchema.draft(TABLE)
                                .family("f", new GcRule.MaxVersions(1))
                                .build(),
                        List.of());
        Map<String, Honest> honest = new TreeMap<>(Map.of(
                "direct", honest("direct", HonestDoors.direct(bigtable.table(TABLE))),
                "thrift", honest("thrift", HonestDoors.thrift(gateway.port(), TABLE))));
        honest.forEach((name, each) -> start("honest " + name, () -> each.run(scheduler, PAUSE_MILLIS)));
        scheduler.pause(CALM_MILLIS);
        Map<String, Latency> calm = latencies(honest);

        AtomicLong rpc = new AtomicLong();
        AtomicLong thrift = new AtomicLong();
        long ofThrift = frames / THRIFT_PART;
        long began = scheduler.clock().nanos();
        SplittableRandom seeds = new SplittableRandom(seed);
        List<Address> servers = servers(cluster);
        List<Scheduler.Worker> attackers = new ArrayList<>();
        for (int i = 0; i < RPC_ATTACKERS; i++) {
            Attack attack = new RpcAttack(servers, table.id(), seeds.split(), tally);
            attackers.add(start("bad caller " + i, () -> attack(attack, rpc, frames - ofThrift)));
        }
        for (int i = 0; i < THRIFT_ATTACKERS; i++) {
            Attack attack = new ThriftAttack(gateway.port(), TABLE, seeds.split(), tally);
            attackers.add(start("bad caller of the gateway " + i, () -> attack(attack, thrift, ofThrift)));
        }
        while (rpc.get() + thrift.get() < frames / EARLY_PART) {
            scheduler.pause(LOOK_MILLIS);
        }
        Memory early = Memory.now();
        for (Scheduler.Worker attacker : attackers) {
            while (!attacker.join(END_MILLIS)) {
                // As many frames take as long as they take.
            }
        }
        double seconds = (scheduler.clock().nanos() - began) / 1e9;
        Map<String, Latency> stormy = latencies(honest);
        Memory late = Memory.now();
        honest.values().forEach(Honest::stop);
        for (Scheduler.Worker worker : workers) {
            if (!worker.join(END_MILLIS)) {
                tally.anomaly("an honest caller waits for ever");
            }
        }
        return new HostileReport(
                seed,
                new HostileReport.Sent(rpc.get(), thrift.get(), seconds),
                tally.closedConnections(),
                early,
                late,
                calm,
                stormy,
                tally.anomalies(),
                tally.words());
    }

    private Honest honest(String name, Honest.Calls calls) {
        return new Honest(name, calls, scheduler.clock(), tally);
    }

    private Scheduler.Worker start(String name, Scheduler.Task task) {
        Scheduler.Worker worker = scheduler.start(name, task);
        workers.add(worker);
        return worker;
    }

    private void attack(Attack attack, AtomicLong sent, long frames) {
        while (sent.get() < frames) {
            try {
                sent.addAndGet(attack.run());
            } catch (IOException failed) {
                // Not to be closed in a minute is one of them.
                tally.anomaly("a bad caller saw " + failed);
                sent.incrementAndGet();
            }
        }
    }

    private static Map<String, Latency> latencies(Map<String, Honest> honest) {
        Map<String, Latency> latencies = new TreeMap<>();
        honest.forEach((name, each) -> latencies.put(name, each.latency()));
        return latencies;
    }

    /** The tablet server, and the master. */
    private static List<Address> servers(MiniBigtable cluster) throws IOException {
        List<Address> servers = new ArrayList<>();
        servers.add(Address.parse(
                cluster.bigtable().admin().clusterStatus().getServers().get(0).getAddress()));
        LockService locks = Connect.lockService(cluster.at());
        try {
            Optional<SmallFile> file = locks.read(Paths.MASTER);
            if (file.isPresent()) {
                servers.add(
                        Address.parse(AvroBytes.decode("master file", file.get().content(), MasterFile.class)
                                .getAddress()));
            }
        } finally {
            locks.close();
        }
        return servers;
    }
}
