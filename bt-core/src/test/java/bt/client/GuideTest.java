package bt.client;

import static org.assertj.core.api.Assertions.assertThat;

import bt.model.RowMutation;
import bt.protocol.Request;
import bt.testing.MemoryCluster;
import bt.testing.MemoryCluster.Fate;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The pages of docs/guide and README.md: every block of Java there stands in a test too, and is run; those of
 * {@link GuideContract} here in memory, and by bt.main.GuideIT on the real servers.
 */
class GuideTest extends GuideContract {
    private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Path TESTS = Path.of("src/test/java/bt");

    /** Another cluster than a test's own. */
    private static final String ADDRESS = "\"zk://127.0.0.1:29181/dev\"";

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private final MemoryCluster cluster;

    GuideTest() throws Exception {
        cluster = new MemoryCluster();
    }

    @Override
    protected Bigtable open() throws Exception {
        opened.push(cluster);
        cluster.table(4, WEBTABLE, List.of(), 3);
        Bigtable bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
        opened.push(bigtable);
        return bigtable;
    }

    @AfterEach
    void stop() throws Exception {
        while (!opened.isEmpty()) {
            opened.pop().close();
        }
    }

    @Test
    void whatFailedIsWrittenLaterOrLookedAtFirst() throws Exception {
        ClientOptions hasty =
                ClientOptions.DEFAULT.operationTimeout(Duration.ofMillis(300)).requestTimeout(Duration.ofMillis(100));
        List<RowMutation> later = new ArrayList<>();
        List<RowMutation> doubtful = new ArrayList<>();
        RowMutation mutation =
                RowMutation.of("shop/1").set("stats", "price", "10").build();
        try (Bigtable client = Bigtable.over(cluster, cluster.locks, cluster.scheduler, new SecureRandom(), hasty)) {
            Table webtable = client.table("webtable");
            cluster.fates((to, request) -> of(request, Fate.NO_CONNECTION));
            write(webtable, mutation, later, doubtful);
            assertThat(later).containsExactly(mutation);
            assertThat(doubtful).isEmpty();
            cluster.fates((to, request) -> of(request, Fate.ANSWER_LOST));
            write(webtable, mutation, later, doubtful);
            assertThat(later).hasSize(1);
            assertThat(doubtful).containsExactly(mutation);
        }
    }

    private static Fate of(Request request, Fate ofWrites) {
        return request.kind() == Request.Kind.MUTATE ? ofWrites : Fate.DELIVERED;
    }

    @Test
    void everyBlockOfTheGuideStandsInATest() throws IOException {
        StringBuilder tests = new StringBuilder();
        for (String test : List.of("client/GuideContract.java", "main/GuideIT.java", "main/junit/PagesIT.java")) {
            tests.append(laidOut(Files.readString(TESTS.resolve(test))));
        }
        int blocks = 0;
        try (Stream<Path> guide = Files.list(Path.of("../docs/guide"))) {
            for (Path page :
                    Stream.concat(guide, Stream.of(Path.of("../README.md"))).toList()) {
                for (MatchResult block :
                        BLOCK.matcher(Files.readString(page)).results().toList()) {
                    String code = block.group(1).replace(ADDRESS, "cluster.at()");
                    assertThat(tests).as(page.toString()).contains(laidOut(code));
                    blocks++;
                }
            }
        }
        assertThat(blocks).isGreaterThan(25);
    }

    /** As if all of it stood in one line: where lines break is no matter of the guide's. */
    private static String laidOut(String code) {
        return code.replaceAll("\\s+", "");
    }
}
