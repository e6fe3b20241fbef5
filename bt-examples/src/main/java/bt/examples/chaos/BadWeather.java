package bt.examples.chaos;

import bt.examples.cluster.JavaProcess;
import bt.examples.cluster.TcpProxy;
import bt.examples.cluster.TcpProxy.Weather;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongSupplier;

/** Between two sides of the cluster; which, follows from the strike. */
final class BadWeather implements Fault {
    private static final long PATIENCE_MILLIS = 5_000;

    private final List<Where> places;
    private final Function<Strike, Weather> weather;
    private Consumer<Weather> changed = fair -> {};
    private LongSupplier hits = () -> 0;
    private long hitsBefore;

    BadWeather(List<Where> places, Function<Strike, Weather> weather) {
        this.places = places;
        this.weather = weather;
    }

    /** Where it is. */
    enum Where {
        CLIENTS("between the clients and all servers"),
        ONE_SERVER("between all others and "),
        SERVERS("between all servers, the clients too"),
        ZOOKEEPER("between all servers and ZooKeeper");

        /** Where what passes is frames of ours, with a CRC, and who is cut off loses no session. */
        static final List<Where> FRAMES = List.of(CLIENTS, ONE_SERVER, SERVERS);

        static final List<Where> ALL = Arrays.asList(values());

        private final String words;

        Where(String words) {
            this.words = words;
        }
    }

    @Override
    public String begin(Stage stage, Strike strike) throws IOException {
        Weather chosen = weather.apply(strike);
        Where where = places.get((strike.roll() >>> 8) % places.size());
        String whom = where.words;
        switch (where) {
            case CLIENTS -> is(stage.network()::set, stage.network()::hits);
            case SERVERS -> is(stage.cluster().toServers()::set, stage.cluster().toServers()::hits);
            case ZOOKEEPER ->
                is(stage.cluster().toZooKeeper()::set, stage.cluster().toZooKeeper()::hits);
            case ONE_SERVER -> {
                List<JavaProcess> all = new ArrayList<>(stage.cluster().servers());
                all.addAll(stage.cluster().masters());
                JavaProcess server = strike.choose(all);
                whom += server.name();
                TcpProxy proxy = stage.cluster().toServers().of(server);
                is(proxy::set, proxy::hits);
            }
        }
        hitsBefore = hits.getAsLong();
        changed.accept(chosen);
        return whom + ": " + chosen;
    }

    private void is(Consumer<Weather> changing, LongSupplier hitting) {
        changed = changing;
        hits = hitting;
    }

    /** Something that wanted to pass was hit. */
    @Override
    public boolean isFelt(Stage stage) {
        return hits.getAsLong() > hitsBefore;
    }

    /** Of some nobody wants anything, as of a master that stands by. */
    @Override
    public long patienceMillis() {
        return PATIENCE_MILLIS;
    }

    @Override
    public void end(Stage stage) {
        changed.accept(Weather.FAIR);
    }
}
