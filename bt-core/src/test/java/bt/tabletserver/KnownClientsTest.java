package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import bt.testing.SeededTest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class KnownClientsTest {
    private static final int HOSTS = 6;

    private final KnownClients clients = new KnownClients();

    @SeededTest(runs = 20)
    void theEldestIsOneOfTheHostThatHasMost(RandomGenerator random) {
        List<KnownClient> known = new ArrayList<>();
        for (int step = 0; step < 2_000; step++) {
            int what = random.nextInt(5);
            if (known.isEmpty() || what == 0) {
                known.add(clients.add(step, host(random)));
            } else {
                KnownClient one = known.get(random.nextInt(known.size()));
                switch (what) {
                    case 1 -> {
                        clients.remove(one);
                        known.remove(one);
                    }
                    case 2 -> clients.move(one, host(random));
                    case 3 -> clients.count(one, 1, random.nextInt(1_000));
                    default -> clients.count(one, 0, -one.bytes / 2);
                }
            }
            if (!known.isEmpty()) {
                assertIsOfMost(known, clients.eldestOfMostClients().host(), client -> 1);
                assertIsOfMost(known, clients.eldestOfMostBytes().host(), client -> client.bytes);
            }
        }
    }

    private static String host(RandomGenerator random) {
        return "host" + random.nextInt(HOSTS);
    }

    private static void assertIsOfMost(Collection<KnownClient> all, String host, ToLongFunction<KnownClient> measure) {
        var sums = all.stream().collect(Collectors.groupingBy(KnownClient::host, Collectors.summingLong(measure)));
        assertThat(sums).containsEntry(host, Collections.max(sums.values()));
    }

    /** A server that has no room left asks for each write, on the thread of all writes. */
    @Test
    void itIsFoundAtOnceHoweverManyHostsThereAre() {
        int hosts = 50_000;
        for (int i = 0; i < hosts; i++) {
            clients.count(clients.add(i, "host" + i), 1, 200);
        }
        assertTimeoutPreemptively(Duration.ofSeconds(5), () -> {
            for (int i = 0; i < 100_000; i++) {
                clients.remove(clients.eldestOfMostClients());
                clients.count(clients.add(hosts + i, "host" + (hosts + i)), 1, 200);
                clients.count(clients.eldestOfMostBytes(), 0, -1);
            }
        });
        assertThat(clients.size()).isEqualTo(hosts);
    }
}
