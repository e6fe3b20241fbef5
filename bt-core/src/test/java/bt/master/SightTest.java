package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.record.Phase;
import bt.record.ServerStatus;
import bt.record.TabletReport;
import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SightTest {
    private long steps;

    @Test
    void aTabletIsServedIfOneServerSaysSo() {
        TabletId served = tablet(1);
        TabletId loading = tablet(2);
        TabletId nowhere = tablet(3);
        Sight sight = sight(List.of(
                Map.of(loading, Sights.report(loading, Phase.LOADING)),
                Map.of(served, Sights.report(served, Phase.LOADING)),
                Map.of(served, Sights.report(served, Phase.SERVING), loading, Sights.report(loading, Phase.LOADING))));
        assertThat(sight.unserved(List.of(nowhere, served, loading))).containsExactly(loading, nowhere);
        assertThat(sight.unserved(List.of(served))).isEmpty();
        assertThat(sight.unserved(List.of(nowhere))).containsExactly(nowhere);
        assertThat(sight.unserved(List.of())).isEmpty();
    }

    /** A hundred servers with a hundred tablets each: not a million steps. */
    @Test
    void whatIsNotServedTakesNoMoreStepsThanThereAreTablets() {
        List<TabletId> all = new ArrayList<>();
        List<Map<TabletId, TabletReport>> servers = new ArrayList<>();
        for (int server = 0; server < 100; server++) {
            Map<TabletId, TabletReport> has = new LinkedHashMap<>();
            for (int i = 0; i < 100; i++) {
                TabletId tablet = tablet(100 * i + server);
                all.add(tablet);
                has.put(tablet, Sights.report(tablet, server == 50 ? Phase.LOADING : Phase.SERVING));
            }
            servers.add(has);
        }
        Sight sight = sight(servers);
        assertThat(sight.unserved(all))
                .containsExactlyInAnyOrderElementsOf(servers.get(50).keySet());
        assertThat(steps).isBetween(9_000L, 11_000L);
        steps = 0;
        // And few cost few, whatever servers have.
        assertThat(sight.unserved(List.of(tablet(50)))).containsExactly(tablet(50));
        assertThat(steps).isEqualTo(100);
    }

    private Sight sight(List<Map<TabletId, TabletReport>> servers) {
        Map<Member, Poll.Holdings> answered = new LinkedHashMap<>();
        for (Map<TabletId, TabletReport> tablets : servers) {
            long epoch = answered.size() + 1L;
            Member member = new Member("server-" + epoch, new Address("server-" + epoch, 1), epoch, "");
            ServerStatus status = ServerStatus.newBuilder()
                    .setServer(member.id())
                    .setEpoch(epoch)
                    .setLockHeld(true)
                    .setPid(1)
                    .setTablets(List.of())
                    .build();
            answered.put(member, new Poll.Holdings(status, counted(tablets), Set.of(), false));
        }
        return new Sight(List.copyOf(answered.keySet()), List.of(), answered, Set.of());
    }

    private static TabletId tablet(int number) {
        return new TabletId(1, Optional.of(Bytes.utf8(String.format("%06d", number))));
    }

    /** Counts who looks something up in it, or comes by something. */
    private Map<TabletId, TabletReport> counted(Map<TabletId, TabletReport> of) {
        return new AbstractMap<>() {
            @Override
            public @Nullable TabletReport get(Object key) {
                steps++;
                return of.get(key);
            }

            @Override
            public Set<Map.Entry<TabletId, TabletReport>> entrySet() {
                return new AbstractSet<>() {
                    @Override
                    public Iterator<Map.Entry<TabletId, TabletReport>> iterator() {
                        Iterator<Map.Entry<TabletId, TabletReport>> all =
                                of.entrySet().iterator();
                        return new Iterator<>() {
                            @Override
                            public boolean hasNext() {
                                return all.hasNext();
                            }

                            @Override
                            public Map.Entry<TabletId, TabletReport> next() {
                                steps++;
                                return all.next();
                            }
                        };
                    }

                    @Override
                    public int size() {
                        return of.size();
                    }
                };
            }
        };
    }
}
