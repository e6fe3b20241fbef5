package bt.shell.terminal;

import static org.assertj.core.api.Assertions.assertThat;

import bt.client.Bigtable;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.shell.GrantCommand;
import bt.shell.PutCommand;
import bt.shell.ScanCommand;
import bt.testing.MemoryCluster;
import java.util.List;
import org.jline.reader.Candidate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

class CommandCompleterTest {
    private MemoryCluster cluster;
    private Bigtable bigtable;
    private CommandCompleter completer;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        TableSchema draft = TableSchema.draft("webtable")
                .family("anchor", GcRule.KEEP_ALL)
                .family("contents", GcRule.KEEP_ALL)
                .build();
        cluster.table(4, draft, List.of(), 3);
        bigtable = Bigtable.over(cluster, cluster.locks, cluster.scheduler);
        CommandSpec root = CommandSpec.create();
        root.addSubcommand("scan", new CommandLine(new ScanCommand()));
        root.addSubcommand("put", new CommandLine(new PutCommand()));
        root.addSubcommand("grant", new CommandLine(new GrantCommand()));
        completer = new CommandCompleter(root, new Names(bigtable, cluster.scheduler));
    }

    @AfterEach
    void stop() {
        bigtable.close();
        cluster.close();
    }

    @Test
    void theValueOfAnOptionIsAWordOfItsOwnOrStandsBehindItsName() {
        assertThat(words("co", "scan", "webtable", "--families")).containsExactly("anchor", "contents");
        assertThat(words("--families=co", "scan", "webtable"))
                .containsExactly("--families=anchor", "--families=contents");
    }

    @Test
    void eachOfAListIsCompleted() {
        assertThat(words("anchor,co", "scan", "webtable", "--families"))
                .containsExactly("anchor,anchor", "anchor,contents");
        assertThat(words("--families=anchor,", "scan", "webtable"))
                .containsExactly("--families=anchor,anchor", "--families=anchor,contents");
    }

    @Test
    void behindAnOptionThatIsNoneOrTakesNoValueNothingIsCompleted() {
        assertThat(words("--nosuch=co", "scan", "webtable")).isEmpty();
        assertThat(words("--reverse=co", "scan", "webtable")).isEmpty();
    }

    @Test
    void aCommaInAColumnIsItsOwn() {
        assertThat(words("a,b", "put", "webtable", "row")).containsExactly("anchor:", "contents:");
    }

    @Test
    void behindATableAndAColonItsFamiliesAreCompleted() {
        assertThat(words("we", "grant", "ada", "read")).containsExactly("webtable");
        assertThat(words("webtable:co", "grant", "ada", "read"))
                .containsExactly("webtable:anchor", "webtable:contents");
        assertThat(words("nosuch:co", "grant", "ada", "read")).isEmpty();
    }

    private List<String> words(String word, String... before) {
        return completer.candidates(List.of(before), word).stream()
                .map(Candidate::value)
                .toList();
    }
}
