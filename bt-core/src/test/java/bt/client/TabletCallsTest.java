package bt.client;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.UnavailableException;
import bt.metadata.MetadataRow;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.record.Done;
import bt.record.LearnTable;
import bt.record.Phase;
import bt.record.TabletLocation;
import bt.testing.MemoryCluster;
import bt.testing.SimScheduler;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TabletCallsTest {
    private final Set<Integer> asked = Collections.synchronizedSet(new TreeSet<>());
    private MemoryCluster cluster;
    private Session session;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        session = new Session(cluster, cluster.locks, cluster.scheduler, new SecureRandom());
    }

    @AfterEach
    void stop() {
        session.closing().closeAll();
        cluster.close();
    }

    /** Tablets b and f are served, k is loaded, p is damaged, and nobody has the last. */
    @Test
    void ofATableOfWhichNotAllIsServedThoseWhoHaveTabletsLearnTheSchema() throws Exception {
        List<Bytes> ends = List.of(Bytes.utf8("b"), Bytes.utf8("f"), Bytes.utf8("k"), Bytes.utf8("p"));
        TableSchema table = cluster.table(4, TableTest.WEBTABLE, ends, 3);
        cluster.move(tablet("f"), 3, 5);
        loading("k", 6);
        MetadataRow failing = loading("p", 7);
        MetadataRow unused = cluster.metadata.tellDamage(failing, "a block is damaged");
        cluster.unload(new TabletId(4, Optional.empty()), 3);
        for (int host : new int[] {3, 5, 6}) {
            cluster.listen(MemoryCluster.address(host), (caller, request) -> learnt(host, request));
        }
        long begin = System.nanoTime();

        new TabletCalls(session).learn(table, session.adminDeadline());

        assertThat(asked).containsExactly(3, 5, 6);
        assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(30));
    }

    /** A drop, a truncation and who weighs a table ask all that have one of its tablets. */
    @Test
    void serversThatDoNotAnswerAreWaitedForTogether() throws Exception {
        List<Bytes> ends = IntStream.range(10, 29)
                .mapToObj(host -> Bytes.utf8(Integer.toString(host)))
                .toList();
        TableSchema table = cluster.table(4, TableTest.WEBTABLE, ends, 3);
        for (int host = 10; host < 29; host++) {
            cluster.move(tablet(Integer.toString(host)), 3, host);
        }
        List<MetadataRow> rows = session.tablets(table);
        SimScheduler time = new SimScheduler(1);
        Network silent = (to, request, timeoutMillis) -> {
            if (request.kind() != Request.Kind.CONTROL) {
                return cluster.send(to, request, timeoutMillis);
            }
            CompletableFuture<Answer> answer = new CompletableFuture<>();
            time.after(timeoutMillis, () -> answer.completeExceptionally(new UnavailableException(to + ": no answer")));
            asked.add(asked.size());
            return answer;
        };
        time.run(Duration.ofHours(1), () -> {
            Session other = new Session(silent, cluster.locks, time, time.random("client"));
            try {
                long begin = time.clock().nanos();
                new TabletCalls(other).refuse(table);
                assertThat(asked).hasSize(20);
                assertThat(new TabletCalls(other).memoryBytes(4, rows)).isEmpty();
                assertThat(asked).hasSize(40);
                assertThat(Duration.ofNanos(time.clock().nanos() - begin))
                        .isBetween(Duration.ofSeconds(9), Duration.ofSeconds(11));
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    private static TabletId tablet(String end) {
        return new TabletId(4, Optional.of(Bytes.utf8(end)));
    }

    private MetadataRow loading(String end, int host) throws Exception {
        cluster.unload(tablet(end), 3);
        MetadataRow row = cluster.metadata.read(tablet(end)).orElseThrow();
        TabletLocation location = new TabletLocation(
                Phase.LOADING,
                "host" + host + "_1_n",
                MemoryCluster.address(host).toString(),
                (long) host);
        return cluster.metadata.replace(row, location, row.state(), "is loaded");
    }

    private CompletableFuture<Answer> learnt(int host, Request request) {
        assertThat(((Request.Control) request).message()).isEqualTo(new LearnTable(4L));
        asked.add(host);
        return CompletableFuture.completedFuture(new Answer.Control(new Done()));
    }
}
