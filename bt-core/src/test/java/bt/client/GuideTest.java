package bt.client;

import static org.assertj.core.api.Assertions.assertThat;

import bt.testing.MemoryCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The pages of docs/guide: every block of Java there stands in a test too, and is run; those of {@link GuideContract} here
 * in memory, and by bt.main.GuideIT on the real servers.
 */
class GuideTest extends GuideContract {
    private static final Pattern BLOCK = Pattern.compile("```java\n(.*?)```", Pattern.DOTALL);
    private static final Path TESTS = Path.of("src/test/java/bt");

    private final Deque<AutoCloseable> opened = new ArrayDeque<>();

    @Override
    protected Bigtable open() throws Exception {
        MemoryCluster cluster = new MemoryCluster();
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
    void everyBlockOfTheGuideStandsInATest() throws IOException {
        StringBuilder tests = new StringBuilder();
        for (String test : List.of("client/GuideContract.java", "main/GuideIT.java", "main/junit/PagesIT.java")) {
            tests.append(laidOut(Files.readString(TESTS.resolve(test))));
        }
        int blocks = 0;
        try (Stream<Path> pages = Files.list(Path.of("../docs/guide"))) {
            for (Path page : pages.toList()) {
                for (MatchResult block :
                        BLOCK.matcher(Files.readString(page)).results().toList()) {
                    assertThat(tests).as(page.toString()).contains(laidOut(block.group(1)));
                    blocks++;
                }
            }
        }
        assertThat(blocks).isGreaterThan(14);
    }

    /** As if all of it stood in one line: where lines break is no matter of the guide's. */
    private static String laidOut(String code) {
        return code.replaceAll("\\s+", "");
    }
}
