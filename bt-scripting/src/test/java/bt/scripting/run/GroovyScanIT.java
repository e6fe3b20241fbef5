package bt.scripting.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.main.MiniBigtable;
import bt.model.Filter;
import bt.model.FilterText;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** Groovy in the tablet servers of a cluster, during scans. */
class GroovyScanIT {
    private static final Pattern SCRIPT = Pattern.compile("```filter\n(script\\(.*)\n```");

    private static MiniBigtable cluster;
    private static Table table;

    @BeforeAll
    static void start() throws Exception {
        cluster = MiniBigtable.start();
        cluster.bigtable()
                .admin()
                .createTable(
                        TableSchema.draft("pages")
                                .family("contents", GcRule.KEEP_ALL)
                                .build(),
                        List.of(Bytes.utf8("m")));
        table = cluster.bigtable().table("pages");
        for (String row : List.of("a", "b", "y", "z")) {
            table.apply(RowMutation.of(row)
                    .set("contents", "", "page " + row + (row.equals("b") ? "" : " is old"))
                    .build());
        }
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void theServersKeepWhatTheScriptKeeps() throws Exception {
        Scan scan = Scan.all()
                .filtered(new Filter.Script("groovy", "cell.text.contains(argument.text)", Bytes.utf8("is old")));
        List<String> kept = new ArrayList<>();
        try (Scanner rows = table.scan(scan)) {
            for (var row = rows.next(); row.isPresent(); row = rows.next()) {
                kept.add(row.get().key().toUtf8());
            }
            assertThat(rows.rowsSeen()).isEqualTo(4);
        }
        assertThat(kept).containsExactly("a", "y", "z");
    }

    /** As a user would type it. */
    @Test
    void theScriptInThePageOfFiltersLetsPassWhatItSays() throws Exception {
        List<String> filters = SCRIPT.matcher(Files.readString(Path.of("../docs/guide/filters.md")))
                .results()
                .map(block -> block.group(1))
                .toList();
        assertThat(filters).hasSize(1);
        cluster.bigtable()
                .admin()
                .createTable(
                        TableSchema.draft("links")
                                .family("anchor", GcRule.KEEP_ALL)
                                .build(),
                        List.of());
        Table links = cluster.bigtable().table("links");
        links.apply(RowMutation.of("r")
                .set("anchor", "a", "www.cnn.com")
                .set("anchor", "b", "bt.org")
                .build());
        List<String> kept = new ArrayList<>();
        try (Scanner rows = links.scan(Scan.all().filtered(FilterText.parse(filters.get(0))))) {
            for (var row = rows.next(); row.isPresent(); row = rows.next()) {
                row.get().cells().forEach(cell -> kept.add(cell.value().toUtf8()));
            }
        }
        assertThat(kept).containsExactly("www.cnn.com");
    }

    @Test
    void aScriptThatDoesNotCompileIsOneLineThatNamesThePlace() throws Exception {
        Scan scan = Scan.all().filtered(new Filter.Script("groovy", "cell.text ==\n foo", Bytes.EMPTY));
        try (Scanner rows = table.scan(scan)) {
            assertThatThrownBy(rows::next)
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("script at line 2, column 2: unknown word \"foo\"")
                    .hasMessageNotContaining("\n");
        }
    }

    @Test
    void aScriptThatReachesForTheServerIsRefused() throws Exception {
        Scan scan = Scan.all().filtered(new Filter.Script("groovy", "System.exit(1)", Bytes.EMPTY));
        try (Scanner rows = table.scan(scan)) {
            assertThatThrownBy(rows::next).isInstanceOf(RejectedException.class);
        }
        assertThat(table.read(Bytes.utf8("a"))).isPresent();
    }
}
