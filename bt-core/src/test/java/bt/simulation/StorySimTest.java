package bt.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.model.Row;
import bt.model.RowMutation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** A life that fails tells what is needed to find the cause: somebody takes away what clients were told is there. */
class StorySimTest {
    private static final long SEED = 3;
    private static final int MANY_LINES = 600;
    private static final Pattern FILE = Pattern.compile("all that happened is in (.*)");

    @Test
    void aMissingLinkIsToldWithItsChainAndItsTablets() throws IOException {
        List<Row> found = new ArrayList<>();
        String told = failing((cluster, bigtable) -> {
            Table table = bigtable.table(Layout.TABLE);
            Row naming = find(table);
            found.add(naming);
            long unused = table.apply(RowMutation.of(named(naming)).deleteRow().build());
        });
        String row = found.get(0).key().toUtf8();
        String lost = named(found.get(0));
        assertThat(told)
                .contains("mvn -pl bt-core test -Psimulate -Dseed=" + SEED)
                .contains("linked list: row " + lost + ": is named by row " + row)
                .containsPattern("client-\\d+  write .*  in " + Pattern.quote(lost))
                .containsPattern("client-\\d+  write " + Pattern.quote(lost) + "  in " + Pattern.quote(row))
                .containsPattern("tablet 1/.*: .*SERVING server-")
                .contains("trouble: ");
        assertThat(told.lines()).hasSizeLessThan(MANY_LINES);
        assertThat(all(told)).contains(lost, "in " + Layout.ACCOUNTS.get(0));
    }

    @Test
    void aLostAdditionIsToldWithAllThatWereMade() throws IOException {
        String counter = Layout.COUNTERS.get(0);
        String told = failing((cluster, bigtable) -> {
            long unused = bigtable.table(Layout.TABLE)
                    .apply(RowMutation.of(counter).deleteRow().build());
        });
        assertThat(told)
                .contains("lost: row " + counter)
                .containsPattern("client-\\d+  adds .*: DONE, \\d+  to " + counter)
                .containsPattern("tablet 1/.*: .*SERVING server-");
        assertThat(told.lines()).hasSizeLessThan(MANY_LINES);
        assertThat(all(told)).contains("in " + Layout.ACCOUNTS.get(0));
    }

    private static String failing(Life.Sabotage sabotage) {
        try {
            Life.Lived unused = Life.live(SEED, Script.drawn(SEED), sabotage);
        } catch (AssertionError wrong) {
            return String.valueOf(wrong.getMessage());
        }
        throw new AssertionError("nothing was wrong");
    }

    private static String all(String told) throws IOException {
        Matcher file = FILE.matcher(told);
        assertThat(file.find()).isTrue();
        return Files.readString(Path.of(file.group(1)));
    }

    private static Row find(Table table) throws BigtableException {
        try (Scanner scanner = table.scan(Scan.all())) {
            for (Optional<Row> row = scanner.next(); row.isPresent(); row = scanner.next()) {
                if (!named(row.get()).isEmpty()) {
                    return row.get();
                }
            }
        }
        throw new AssertionError("no node names another");
    }

    private static String named(Row row) {
        return row.value(Layout.LINK).map(Bytes::toUtf8).orElse("");
    }
}
