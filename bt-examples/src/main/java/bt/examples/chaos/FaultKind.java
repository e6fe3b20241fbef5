package bt.examples.chaos;

import bt.examples.chaos.BadWeather.Where;
import bt.examples.cluster.TcpProxy.Weather;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;

/** What may happen. The name in small letters, with dashes, is the one of reports; docs/chaos.md tells what each is. */
enum FaultKind {
    KILL_TABLET_SERVER(Thing.TABLET_SERVERS, 500, 4_000),
    PAUSE_TABLET_SERVER(Thing.TABLET_SERVERS, 1_000, 12_000),
    KILL_MASTER(Thing.MASTERS, 500, 3_000),
    PAUSE_MASTER(Thing.MASTERS, 1_000, 12_000),
    KILL_DATANODE(Thing.DATANODES, 1_000, 6_000),
    PAUSE_DATANODE(Thing.DATANODES, 2_000, 12_000),
    RESTART_NAME_NODE(Thing.NAME_NODE, 200, 2_000),
    PAUSE_NAME_NODE(Thing.NAME_NODE, 1_000, 6_000),
    RESTART_ZOOKEEPER(Thing.ZOOKEEPER, 200, 5_000),
    PAUSE_ZOOKEEPER(Thing.ZOOKEEPER, 1_000, 9_000),
    EXPIRE_SESSION(Thing.TABLET_SERVERS, 5_000, 9_000),
    TCP_CUT(Thing.NETWORK, 500, 4_000),
    TCP_DELAY(Thing.NETWORK, 2_000, 6_000),
    TCP_SLOW(Thing.NETWORK, 2_000, 6_000),
    TCP_CORRUPT(Thing.NETWORK, 2_000, 6_000),
    MOVE_CLOCK(Thing.TABLET_SERVERS, 8_000, 14_000),
    FILL_DISK(Thing.DATANODES, 2_000, 8_000),
    DAMAGE_REPLICA(Thing.DATANODES, 500, 1_000),
    DAMAGE_FILE(Thing.TABLETS, 5_000, 10_000),
    REACH_QUOTA(Thing.MASTERS, 2_000, 6_000),
    RESHAPE(Thing.TABLETS, 4_000, 10_000);

    private final Thing thing;
    private final int leastMillis;
    private final int mostMillis;

    FaultKind(Thing thing, int leastMillis, int mostMillis) {
        this.thing = thing;
        this.leastMillis = leastMillis;
        this.mostMillis = mostMillis;
    }

    /** What it is done to: two faults of one thing do not overlap. */
    enum Thing {
        TABLET_SERVERS,
        MASTERS,
        DATANODES,
        NAME_NODE,
        ZOOKEEPER,
        NETWORK,
        TABLETS
    }

    /** Whether there is a kind of thing that neither leaves alone. */
    boolean meets(FaultKind other) {
        return Stream.of(Thing.values()).anyMatch(each -> isDoneTo(each) && other.isDoneTo(each));
    }

    /** Or needs that nothing else is done to it. */
    boolean isDoneTo(Thing wanted) {
        return thing == wanted || needs().contains(wanted);
    }

    private Set<Thing> needs() {
        if (this == EXPIRE_SESSION) {
            return Set.of(Thing.MASTERS, Thing.ZOOKEEPER, Thing.NETWORK);
        }
        if (this == FILL_DISK) {
            // It sets and lifts a quota, where there is no disk of our own to fill.
            return Set.of(Thing.NAME_NODE);
        }
        return this == DAMAGE_FILE ? Set.of(Thing.NAME_NODE, Thing.ZOOKEEPER) : Set.of();
    }

    Fault make() {
        return switch (this) {
            case KILL_TABLET_SERVER -> new Kill(Victim.TABLET_SERVER);
            case PAUSE_TABLET_SERVER -> new Pause(Victim.TABLET_SERVER);
            case KILL_MASTER -> new Kill(Victim.MASTER);
            case PAUSE_MASTER -> new Pause(Victim.MASTER);
            case KILL_DATANODE -> new Kill(Victim.DATANODE);
            case PAUSE_DATANODE -> new Pause(Victim.DATANODE);
            case RESTART_NAME_NODE -> new Kill(Victim.NAME_NODE);
            case PAUSE_NAME_NODE -> new Pause(Victim.NAME_NODE);
            case RESTART_ZOOKEEPER -> new Kill(Victim.ZOOKEEPER);
            case PAUSE_ZOOKEEPER -> new Pause(Victim.ZOOKEEPER);
            case EXPIRE_SESSION -> new ExpireSession();
            case TCP_CUT -> new BadWeather(Where.FRAMES, strike -> strike.coin() ? Weather.CUT : Weather.SILENT);
            case TCP_DELAY -> new BadWeather(Where.ALL, strike -> Weather.delayed(20 + strike.roll() % 200));
            case TCP_SLOW -> new BadWeather(Where.ALL, strike -> Weather.slow(20_000 + strike.roll() % 100_000));
            case TCP_CORRUPT -> new BadWeather(Where.FRAMES, strike -> Weather.corrupt(2 + strike.roll() % 30));
            case MOVE_CLOCK -> new MovedClock();
            case FILL_DISK -> new FullDisk();
            case DAMAGE_REPLICA -> new DamagedReplica();
            case DAMAGE_FILE -> new DamagedFile();
            case REACH_QUOTA -> new TableQuota();
            case RESHAPE -> new Reshape();
        };
    }

    long drawMillis(Random random) {
        return leastMillis + (long) random.nextInt(mostMillis - leastMillis);
    }

    /** As reports have it. */
    String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
