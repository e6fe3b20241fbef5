package bt.scripting.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.script.CompiledScript;
import bt.script.ScriptBudget;
import bt.script.ScriptEngine;
import java.util.List;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GroovyScriptEngineTest {
    private static final ScriptEngine ENGINE = new GroovyScriptEngine();
    private static final ScriptBudget SMALL = new ScriptBudget(200_000_000L, 64 << 20);
    private static final Cell CELL = new Cell(
            Bytes.utf8("org.apache/index.html"),
            ColumnKey.of("contents", "en"),
            1_700_000_000_000_000L,
            Bytes.utf8("<html>An Iterator of größe 42</html>"));

    @ParameterizedTest
    @MethodSource("scripts")
    void decides(boolean keeps, String source) throws RejectedException {
        assertThat(keeps(source)).isEqualTo(keeps);
    }

    static Stream<Arguments> scripts() {
        return Stream.of(
                arguments(true, "cell.family == 'contents' && cell.text.contains('Iterator')"),
                arguments(false, "cell.family == 'anchor' && cell.text.contains('Iterator')"),
                arguments(true, "cell.row.startsWith('org.apache') && cell.row.endsWith('.html')"),
                arguments(true, "cell.qualifier in ['de', 'en']"),
                arguments(false, "cell.qualifier !in ['de', 'en']"),
                arguments(true, "cell.size == 38 && cell.value.size() == cell.value.size && cell.text.length() == 36"),
                arguments(true, "cell.timestamp > 1_600_000_000_000_000"),
                arguments(true, "cell.value.startsWith(argument.bytes) && cell.text.startsWith(argument.text)"),
                arguments(true, "cell.value[0] == 60 && cell.value[-1] == 62 && cell.value.hex.startsWith('3c')"),
                arguments(true, "cell.rowBytes != cell.qualifierBytes && cell.rowBytes.text == cell.row"),
                arguments(true, "cell.text"),
                arguments(false, "''"),
                arguments(false, "null"),
                arguments(false, "0"),
                arguments(false, "0.0"),
                arguments(false, "[]"),
                arguments(false, "[:]"),
                arguments(true, "[0]"),
                arguments(true, "[a: 0]"),
                arguments(true, "!''"),
                arguments(false, "if (cell.size > 1000000) true"),
                arguments(true, "if (cell.size > 1000000) false else true"),
                arguments(true, "if (cell.size > 9) { return true }\nfalse"),
                arguments(true, "def a = 1\na = a + 1\na += 2\na -= 1\na *= 10\na /= 4\na %= 7\na == 0.5"),
                arguments(true, "int i = 1; i++; ++i; i--; i == 2"),
                arguments(true, "int n = 0; for (int i = 0; i < 10; i++) { if (i == 5) continue; n += i }; n == 40"),
                arguments(
                        true,
                        "int n = 0; for (;;) { if (n++ == 3 ? true : false) break }; n == 4"
                                .replace("n++", "(n = n + 1)")
                                .replace("== 3", "== 4")),
                arguments(true, "int n = 0; while (n < 7) n++\nn == 7"),
                arguments(true, "int n = 0; do { n++ } while (n < 7)\nn == 7"),
                arguments(
                        true,
                        "def n = 0; for (x in 1..4) n += x; for (x in 4..1) n += x; for (x in 0..<0) n += 100; n == 20"),
                arguments(
                        true,
                        "def n = 0; for (String w in cell.text.tokenize(' <>/')) { if (w == 'html') n++ }; n == 2"),
                arguments(
                        true,
                        "def m = [a: 1, 'b': 2, (cell.family): 3]; m['c'] = 4; m.put('d', 5); m['contents'] + m.get('d') == 8"),
                arguments(
                        true,
                        "def m = [:]; m[1] = 'x'; m.containsKey(1) && !m.containsKey(2) && 1 in m && m.get(2) == null"),
                arguments(
                        true,
                        "def l = [1, 2]; l << 3; l.add(4); l[0] = 9; l == [9, 2, 3, 4] && l.size() == 4 && l[-1] == 4"),
                arguments(
                        true,
                        "def l = [3]; for (x in l) { l << x }; l == [3, 3] && l + 1 == [3, 3, 1] && l + [2] == [3, 3, 2] && [] + 'x' == ['x']"),
                arguments(true, "[1, 'a', null].join('-') == '1-a-null' && ['', 'x', 'x'].join('+') == '+x+x'"),
                arguments(true, "[a: 1, b: 2].keySet() == ['a', 'b'] && [a: 1] == [a: 1] && [a: 1] != [a: 2]"),
                arguments(
                        true,
                        "[1, 2].first() == 1 && [1, 2].last() == 2 && [1, 2].indexOf(2) == 1 && ![1].contains('1')"),
                arguments(true, "\"${cell.family}:$cell.qualifier ${1 + 1}\" == 'contents:en 2'"),
                arguments(true, "'abc'.substring(1) + 'abc'.substring(0, 1) == 'bca' && 'abc'[0] + 'abc'[-1] == 'ac'"),
                arguments(
                        true,
                        "' aB '.trim().toUpperCase() + 'aB'.toLowerCase() == 'ABab' && 'AB'.equalsIgnoreCase('ab')"),
                arguments(
                        true,
                        "'a.b.c'.replace('.', '--') == 'a--b--c' && 'a.b.c'.count('.') == 2 && 'abc'.replace('b', '') == 'ac'"),
                arguments(true, "'a b'.indexOf('b') == 2 && 'abab'.indexOf('b', 2) == 3 && 'a'.indexOf('x') == -1"),
                arguments(true, "' a  b '.tokenize() == ['a', 'b'] && 'a/b'.tokenize('/') == ['a', 'b']"),
                arguments(
                        true,
                        "'42'.isLong() && '42'.toLong() == 42 && '4.5'.toDouble() == 4.5 && !'x'.isDouble() && 4.9.toLong() == 4"),
                arguments(
                        true,
                        "7 / 2 == 3.5 && 7 % 3 == 1 && -7 < 3 && 2 * 3 - 1 == 5 && 1 <=> 2 == -1"
                                .replace("1 <=> 2 == -1", "(1 <=> 2) == -1")),
                arguments(
                        true,
                        "Math.max(1, 2.5) == 2.5 && Math.min(1, 2) == 1 && Math.abs(-3) == 3 && Math.round(2.5) == 3"),
                arguments(true, "Math.floor(2.7) == 2 && Math.ceil(2.1) == 3 && Math.sqrt(9) == 3"),
                arguments(
                        true,
                        "'a' < 'b' && 1 < 1.5 && cell.rowBytes > cell.qualifierBytes && 'b' >= 'b' && 'a' <= 'b'"),
                arguments(true, "1 == 1.0 && 'a' != 1 && null == null && true != 'true'"),
                arguments(
                        true,
                        "final String s = cell.text; List l = [s]; Map m = [s: l.size()]; boolean b = m['s'] == 1; double d = 1; b"),
                arguments(true, "def a\na == null && (cell.size > 3 ? 'x' : '')"),
                arguments(true, "true && (false || !false)"),
                arguments(true, "// a comment\n/* another */ true"),
                arguments(true, "'größe' in cell.text"),
                arguments(true, "/* slashy */ cell.text.contains(/Iterator/)"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aScriptThatFailsIsRejectedWithItsLine(String reason, String source) {
        assertThatThrownBy(() -> keeps(source))
                .isInstanceOf(RejectedException.class)
                .hasMessage("script at line " + reason);
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                arguments("2: contains wants a text, not a whole number: give it that", "true\ncell.text.contains(1)"),
                arguments("1: contains wants a list, not a whole number: give it that", "cell.timestamp.contains('1')"),
                arguments("3: []: index 1 of 1: ask for its size first", "def l = [1]\n\nl[1]"),
                arguments(
                        "1: bytes are never equal to a text: compare with cell.text, or with bytes",
                        "cell.value == 'x'"),
                arguments("1: division by zero: divide by another", "1 / 0"),
                arguments(
                        "1: 9223372036854775807 + 1 is not a whole number of 64 bits: use smaller numbers, or decimals",
                        "9223372036854775807 + 1"),
                arguments("1: this variable wants a whole number, not a text: give it that", "int i = cell.text"),
                arguments("2: this variable wants a text, not a whole number: give it that", "String s = 'x'\ns = 1"),
                arguments(
                        "1: this variable wants a text, not a whole number: give it that", "for (String s in [1]) { }"),
                arguments("1: a list wants texts, numbers, truths or bytes, not a list: give it that", "[[1]]"),
                arguments("1: << wants texts, numbers, truths or bytes, not the cell: give it that", "[] << cell"),
                arguments(
                        "1: < wants two numbers, two texts or bytes, not a text and a whole number: give it those",
                        "'a' < 1"),
                arguments("1: .text wants the argument, not a text: give it that", "'x'.text"),
                arguments(
                        "1: toLong: this text is no whole number of 64 bits: look at the text first", "'x'.toLong()"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "while (true) { }",
                "for (;;) { }",
                "do { } while (true)",
                "while (true) continue",
                "int i = 0; while (i < 1) { i = 0 }",
                "for (i in 1..1000) { for (j in 1..1000) { for (k in 1..1000) { } } }",
                "def s = 'x'; while (true) s = s + s",
                "def s = 'x'; while (true) s = \"$s$s\"",
                "def s = 'x'; while (true) s += s",
                "def s = 'xx'; while (true) s = s.replace('x', s)",
                "def l = [1]; while (true) l += l",
                "def l = [1]; while (true) l << 1",
                "def l = []; def s = cell.text; while (true) l << s.toUpperCase()",
                "def l = ['x']; while (true) l << l.join('x')",
                "def m = [:]; int i = 0; while (true) { m[i] = i; i++ }",
                "for (x in 1..2000000000) { }",
                "1..9223372036854775807",
                "-9223372036854775807..9223372036854775807",
                "for (x in 0..<9223372036854775807) { }",
                "def s = 'a'; for (i in 1..20) s += s; while (true) s.contains(s + 'b')",
                "def s = 'a'; for (i in 1..20) s += s; while (true) s.count('a')",
                "def s = 'a'; for (i in 1..20) s += s; while (true) s.tokenize('a')",
                "def s = 'a'; for (i in 1..20) s += s; while (true) s.tokenize('b') + s.replace('a', 'ab')",
                "def s = 'a'; for (i in 1..20) s += s; def t = s + ''; while (true) s == t",
                "def l = [1, 2]; for (i in 1..15) l += l; while (true) l.contains(3)",
                "def l = [1, 2]; for (i in 1..15) l += l; def k = l + 1; while (true) l == k",
                "def s = 'a'; for (i in 1..20) s += s; while (true) { def m = [:]; m[s + '1'] = 1 }"
            })
    @Timeout(60)
    void whatWouldNotEndIsStoppedByItsBudget(String source) {
        assertThatThrownBy(() -> ENGINE.compile(source).open(Bytes.EMPTY, SMALL).keeps(CELL))
                .isInstanceOf(RejectedException.class)
                .message()
                .matches("script at line 1: needs more than \\d+ (ms|bytes of memory) for one (cell|page).*");
    }

    @Test
    void theTimeOfAPageIsThatOfAllItsCells() throws RejectedException {
        CompiledScript.CellScript script =
                ENGINE.compile("def n = 0; for (i in 1..20000) n += i; true").open(Bytes.EMPTY, SMALL);
        assertThatThrownBy(() -> {
                    for (int i = 0; i < 1_000_000; i++) {
                        script.keeps(CELL);
                    }
                })
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("for one page");
    }

    @Test
    void oneCompiledScriptServesManyThreads() throws Exception {
        CompiledScript script = ENGINE.compile(
                "def n = 0; for (w in cell.text.tokenize(' ')) n += w.size(); n == argument.text.toLong()");
        ExecutorService threads = Executors.newFixedThreadPool(4);
        try {
            List<Callable<Boolean>> reads = IntStream.range(0, 40)
                    .<Callable<Boolean>>mapToObj(i -> () -> script.open(Bytes.utf8("" + (i % 2 == 0 ? i : -1)), SMALL)
                            .keeps(new Cell(Bytes.EMPTY, CELL.column(), 1, Bytes.utf8("x ".repeat(i)))))
                    .toList();
            List<Future<Boolean>> answers = threads.invokeAll(reads);
            for (int i = 0; i < answers.size(); i++) {
                assertThat(answers.get(i).get()).isEqualTo(i % 2 == 0);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    @Test
    void theServiceLoaderFindsItByTheNameGroovy() {
        assertThat(ServiceLoader.load(ScriptEngine.class).stream()
                        .map(p -> p.get().name()))
                .containsExactly("groovy");
    }

    private static boolean keeps(String source) throws RejectedException {
        return ENGINE.compile(source)
                .open(Bytes.utf8("<html>"), ScriptBudget.DEFAULT)
                .keeps(CELL);
    }
}
