package bt.simulation;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Admin;
import bt.client.Bigtable;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.testing.Faults;
import bt.testing.Faults.Failure;
import bt.testing.Faults.Fault;
import bt.testing.Mishap;
import bt.testing.SimCluster;
import bt.testing.SimFaults;
import bt.testing.SimScheduler;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Makes trouble, a while apart, and takes all of it back in the end. Owned by the simulation's main worker. */
final class Storm {
    private static final long APART_MILLIS = 5_000;
    private static final long LOOK_MILLIS = 100;
    private static final long LONGEST_MILLIS = 9_000;
    /** Longer than it takes to replace a server: a session, a lease and a load. */
    private static final long REPLACED_MILLIS = 14_000;

    private static final int CHANGES = 4;
    private static final SimFaults BAD_NETWORK = new SimFaults(100, 20_000, 0.03, 0.03, 0.03).and(0.05, 0.05);

    private final SimCluster cluster;
    private final SimScheduler scheduler;
    private final RandomGenerator random;
    private final RandomGenerator fileChance;
    private final Admin admin;
    private final int customers;
    private final Cuts cuts;
    private final StepCrashes crashes;
    private final List<String> clocks = new ArrayList<>();
    private final Set<String> drained = new TreeSet<>();
    /** When the last of what lasts a while is undone. */
    private long calmMillis;

    private boolean over;

    Storm(SimCluster cluster, int customers) {
        this.cluster = cluster;
        this.scheduler = cluster.scheduler();
        this.random = scheduler.random("storm");
        this.fileChance = scheduler.random("files");
        this.customers = customers;
        this.cuts = new Cuts(cluster, random, customers);
        this.crashes = new StepCrashes(cluster);
        Bigtable operator = cluster.client("operator");
        this.admin = operator.admin();
    }

    /** The doom comes late, so that the troubles meet as many processes as they would without it. */
    void rage(Script script) throws InterruptedException {
        for (int i = 0; i < script.troubles(); i++) {
            if (i == script.troubles() - 1) {
                script.doom().filter(StepCrashes::isOfTraffic).ifPresent(crashes::doom);
            }
            scheduler.pause(random.nextLong(APART_MILLIS));
            awaitServer();
            Trouble trouble = script.kinds().get(random.nextInt(script.kinds().size()));
            scheduler.note("trouble: " + trouble);
            make(trouble);
        }
        // What was broken for a while stays so for all of it.
        scheduler.pause(random.nextLong(APART_MILLIS));
        while (nowMillis() < calmMillis) {
            scheduler.pause(calmMillis - nowMillis());
        }
        if (script.doom().isPresent()) {
            script.doom().filter(point -> !StepCrashes.isOfTraffic(point)).ifPresent(crashes::doom);
            scheduler.pause(REPLACED_MILLIS);
        }
    }

    /** Trouble for one that is dead is none. */
    private void awaitServer() throws InterruptedException {
        while (cluster.servers().isEmpty()) {
            scheduler.pause(LOOK_MILLIS);
        }
    }

    private long nowMillis() {
        return scheduler.elapsed().toMillis();
    }

    /** From now on everything works. */
    void end() {
        over = true;
        scheduler.note("the storm is over");
        cluster.setFaults(SimFaults.NONE);
        cluster.setFileFaults((operation, path) -> Faults.NONE);
        cluster.forgetSteps();
        cuts.mendAll();
        clocks.forEach(name -> scheduler.moveClock(name, 0));
        drained.forEach(server -> ask("undrain", () -> admin.undrainServer(server)));
    }

    private void make(Trouble trouble) {
        if (!Trouble.work().contains(trouble)) {
            scheduler.count(trouble);
        }
        switch (trouble) {
            case SPLIT -> work(trouble, () -> admin.splitTablet(Layout.TABLE, row()));
            case MERGE -> work(trouble, () -> admin.mergeTablets(Layout.TABLE, Bytes.utf8("a"), row()));
            case MOVE -> move(row(), server() + ":1");
            case FLUSH -> work(trouble, () -> admin.flush(Layout.TABLE));
            case ALTER -> work(trouble, () -> admin.alterTable(Layout.TABLE, this::altered));
            case DRAIN -> drain(server() + ":1");
            case STOP -> stop(server());
            case MOVE_METADATA -> moveMetadata();
            case SPLIT_METADATA -> work(trouble, () -> admin.splitTablets("METADATA"));
            case CRASH -> cluster.kill(random.nextInt(6) == 0 ? customer() : process());
            case CRASH_AT_STEP -> crashes.trouble(random);
            case SHORT_PAUSE -> scheduler.pauseProcess(process(), 100 + random.nextLong(4_000));
            case LONG_PAUSE -> scheduler.pauseProcess(process(), longPause());
            case PAUSE_AT_CHANGE -> pauseAtChange();
            case SESSION_EXPIRES -> cluster.expireSession(process());
            case CUT -> later("mend", cuts.some(process(), anybody()));
            case LOCKS_CUT -> later("reconnect", cuts.fromLocks(process()));
            case ISLAND -> later("bridge", REPLACED_MILLIS + random.nextLong(REPLACED_MILLIS), cuts.island(server()));
            case LOCKS_DOWN -> cluster.locks().stopFor(1_000 + random.nextLong(LONGEST_MILLIS));
            case BAD_NETWORK -> badNetwork();
            case BAD_FILES -> badFiles();
            case CLOCK -> moveClock(process());
        }
    }

    private Bytes row() {
        return Bytes.utf8(String.valueOf((char) ('b' + random.nextInt(24))));
    }

    private String server() {
        return any(cluster.servers());
    }

    /** A server mostly, or a master. */
    private String process() {
        List<String> masters = cluster.masters();
        return random.nextInt(3) == 0 && !masters.isEmpty() ? any(masters) : server();
    }

    private String any(List<String> names) {
        return names.get(random.nextInt(names.size()));
    }

    private long longPause() {
        return 6_000 + random.nextLong(REPLACED_MILLIS);
    }

    /** Where all of them are dead somebody else. */
    private String customer() {
        List<String> living = IntStream.rangeClosed(1, customers)
                .mapToObj(Customer::name)
                .filter(scheduler::isRunning)
                .toList();
        return living.isEmpty() ? process() : any(living);
    }

    private String anybody() {
        return random.nextInt(3) == 0 ? customer() : process();
    }

    /** A family comes and goes, or the one with few versions changes its locality group. */
    private TableSchema altered(TableSchema now) {
        if (now.version() % 3 == 0) {
            String other = now.family("b").orElseThrow().localityGroup().equals("apart") ? "default" : "apart";
            return now.change().moveFamily("b", other).build();
        }
        return now.family("c").isPresent()
                ? now.change().dropFamily("c").build()
                : now.change().addFamily("c", GcRule.KEEP_ALL).build();
    }

    private void move(Bytes row, String server) {
        work(Trouble.MOVE, () -> admin.moveTablet(Layout.TABLE, row, server));
    }

    private void drain(String server) {
        drained.add(server);
        work(Trouble.DRAIN, () -> admin.drainServer(server));
    }

    private void stop(String server) {
        work(Trouble.STOP, () -> cluster.stop(server));
    }

    private void moveMetadata() {
        String server = server() + ":1";
        Bytes row = random.nextBoolean() ? Bytes.hex("0000000000000001") : Bytes.hex("0000000000000000");
        work(Trouble.MOVE_METADATA, () -> admin.moveTablet("METADATA", row, server));
    }

    /**
     * Of whoever comes to a change, for who was chosen before may never do so. What it has sent leaves its machine when it goes on, and
     * meets what others have changed since. Should theirs be overwritten, their next change puts it right: so perhaps none of them comes
     * to it.
     */
    private void pauseAtChange() {
        long millis = REPLACED_MILLIS + random.nextLong(REPLACED_MILLIS);
        long apart = random.nextLong(APART_MILLIS / 20);
        boolean allDie = random.nextBoolean();
        cluster.beforeAnyChange(1 + random.nextInt(CHANGES), process -> {
            scheduler.count(Mishap.PAUSED_AT_CHANGE);
            lasts(millis + APART_MILLIS);
            cluster.network().hold(process, millis);
            later("pause", 0, () -> scheduler.pauseProcess(process, millis));
            if (allDie) {
                later("all die", millis + apart, () -> cluster.servers().forEach(cluster::kill));
            }
        });
    }

    private void badNetwork() {
        cluster.setFaults(BAD_NETWORK);
        later("good network", () -> cluster.setFaults(SimFaults.NONE));
    }

    private void badFiles() {
        int perThousand = 5 + random.nextInt(40);
        long slowest = random.nextBoolean() ? 200 : 4_000;
        cluster.setFileFaults((operation, path) -> {
            int draw = fileChance.nextInt(1_000);
            long delay = draw < 3 * perThousand ? fileChance.nextLong(slowest) : 0;
            Failure failure = draw >= perThousand ? Failure.NONE : draw % 2 == 0 ? Failure.INSTEAD : Failure.AFTERWARDS;
            return new Fault(delay, failure);
        });
        later("good files", () -> cluster.setFileFaults((operation, path) -> Faults.NONE));
    }

    /** Mostly by seconds, now and then by more than anybody tolerates. */
    private void moveClock(String process) {
        long most = random.nextInt(4) == 0 ? 200_000_000 : 20_000_000;
        clocks.add(process);
        scheduler.moveClock(process, random.nextLong(2 * most) - most);
        later("right clock", () -> scheduler.moveClock(process, 0));
    }

    private void later(String what, Runnable undo) {
        later(what, 500 + random.nextLong(LONGEST_MILLIS), undo);
    }

    private void later(String what, long millis, Runnable undo) {
        lasts(millis);
        var unused = scheduler.start(what, () -> {
            scheduler.pause(millis);
            if (!over) {
                undo.run();
            }
        });
    }

    private void lasts(long millis) {
        calmMillis = Math.max(calmMillis, nowMillis() + millis);
    }

    /** What an operator asks for, which may fail on a bad day. */
    private interface Wish {
        void ask() throws BigtableException;
    }

    /** Counted when it is done. */
    private void work(Trouble trouble, Wish wish) {
        ask(trouble.toString(), () -> {
            wish.ask();
            scheduler.count(trouble);
        });
    }

    private void ask(String what, Wish wish) {
        var unused = scheduler.process("operator").start(what, () -> {
            try {
                wish.ask();
                scheduler.note(what + ": done");
            } catch (BigtableException failed) {
                scheduler.note(what + ": " + failed.getMessage());
            }
        });
    }
}
