package bt.scripting.run;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.script.ScriptBudget;
import bt.scripting.gate.ScriptCompiler;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/scripting.md, held against the compiler. */
class ManualTest {
    private static final Path MANUAL = Path.of("../docs/scripting.md");

    @Test
    void everyExampleDecidesAboutACell() throws IOException {
        List<String> examples = Pattern.compile("```groovy\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(MANUAL))
                .results()
                .map(match -> match.group(1))
                .toList();

        assertThat(examples).hasSize(5).allSatisfy(ManualTest::run);
    }

    @Test
    void everyWordIsNamed() throws IOException {
        String manual = Files.readString(MANUAL);
        List<String> words = Pattern.compile("\\w+")
                .matcher(ScriptCompiler.words())
                .results()
                .map(MatchResult::group)
                .toList();

        assertThat(words).hasSizeGreaterThan(40).allSatisfy(word -> assertThat(manual)
                .containsPattern("\\b" + word + "\\b"));
    }

    private static void run(String example) throws RejectedException {
        Cell cell = new Cell(Bytes.utf8("row-7"), ColumnKey.of("anchor", "q"), 5, Bytes.utf8("7"));
        ScriptBudget budget = ScriptBudget.DEFAULT;
        new GroovyScriptEngine().compile(example).open(Bytes.utf8("7"), budget).keeps(cell);
    }
}
