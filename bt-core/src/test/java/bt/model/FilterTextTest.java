package bt.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import bt.base.ByteRange;
import bt.base.Bytes;
import bt.testing.RandomFilters;
import bt.testing.SeededTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class FilterTextTest {
    private static final Path PAGE = Path.of("../docs/guide/filters.md");

    @SeededTest(runs = 2000)
    void whatIsPrintedIsReadAsTheSameFilter(RandomGenerator random) {
        Filter filter = new RandomFilters(random).filter();
        String text = FilterText.print(filter);
        assertThat(FilterText.parse(text)).as(text).isEqualTo(filter);
    }

    /** Of any text at all: a filter, or one line that points into it. */
    @SeededTest(runs = 2000)
    void anyTextIsAFilterOrMalformedAtACharacterOfIt(RandomGenerator random) {
        StringBuilder text = new StringBuilder(FilterText.print(new RandomFilters(random).filter()));
        for (int i = random.nextInt(4); i >= 0; i--) {
            int at = random.nextInt(text.length() + 1);
            text.insert(at, "&|()[]{},=~:' \\x0latestif".charAt(random.nextInt(24)));
            text.delete(Math.min(at + 1, text.length()), Math.min(text.length(), at + 1 + random.nextInt(3)));
        }
        try {
            Filter filter = FilterText.parse(text.toString());
            assertThat(FilterText.parse(FilterText.print(filter))).isEqualTo(filter);
        } catch (FilterText.Malformed malformed) {
            assertThat(malformed.at()).isBetween(0, text.length());
            assertThat(malformed).hasMessageStartingWith("filter, character " + (malformed.at() + 1) + ": ");
        }
    }

    @Test
    void theIssuesExampleIsAChain() {
        assertThat(FilterText.parse("family=anchor & qualifier~'.*cnn.*' & latest(1)"))
                .isEqualTo(new Filter.Chain(List.of(
                        new Filter.Families(List.of("anchor")),
                        new Filter.Matches(Filter.Part.QUALIFIER, Regex.of(".*cnn.*")),
                        new Filter.Latest(1))));
    }

    @Test
    void aChainBindsTighterThanAnInterleaving() {
        Filter latest = new Filter.Latest(1);
        assertThat(FilterText.parse("latest(1) & keys | all"))
                .isEqualTo(new Filter.Interleave(
                        List.of(new Filter.Chain(List.of(latest, new Filter.Keys())), Filter.ALL)));
        assertThat(FilterText.parse("latest(1) & (keys | all)"))
                .isEqualTo(new Filter.Chain(
                        List.of(latest, new Filter.Interleave(List.of(new Filter.Keys(), Filter.ALL)))));
    }

    @Test
    void notBindsTighterThanAChain() {
        Filter value = new Filter.Within(Filter.Part.VALUE, ByteRange.only(Bytes.utf8("x")));
        Filter link = new Filter.Families(List.of("link"));
        assertThat(FilterText.parse("not value=x & family=link"))
                .isEqualTo(new Filter.Chain(List.of(new Filter.Not(value), link)));
        assertThat(FilterText.parse("not (value=x & family=link)"))
                .isEqualTo(new Filter.Interleave(List.of(new Filter.Not(value), new Filter.Not(link))));
        assertThat(FilterText.parse("not (value=x | not family=link)"))
                .isEqualTo(new Filter.Chain(List.of(new Filter.Not(value), link)));
        assertThat(FilterText.parse("not not all")).isEqualTo(Filter.ALL);
        assertThat(FilterText.parse("not if(latest(1), value=x, none)"))
                .isEqualTo(new Filter.Condition(new Filter.Latest(1), new Filter.Not(value), Filter.ALL));
    }

    @Test
    void whatDoesNotJudgeEachCellByItselfIsNotNegated() {
        for (String filter : List.of("latest(1)", "skip_first(2)", "keys", "label(a)", "script(groovy, true)")) {
            wrong("row=a & not " + filter, 8, "only what judges each cell by itself can be negated");
            wrong("not (" + filter + " | row=a)", 0, "only what judges each cell by itself can be negated");
        }
        assertThatThrownBy(() -> new Filter.Not(Filter.ALL)).hasMessageContaining("not all: only what");
        String deep = "not ".repeat(10_000) + "all";
        wrong(deep, 20 * 4, "nested deeper than 20");
    }

    @Test
    void rangesSayWhetherTheirEndsBelongToThem() {
        assertThat(range("row in [a,b)")).isEqualTo(ByteRange.of(Bytes.utf8("a"), Bytes.utf8("b")));
        assertThat(range("row in (a,b]"))
                .isEqualTo(ByteRange.of(
                        Bytes.utf8("a").successor(), Bytes.utf8("b").successor()));
        assertThat(range("row in [,b)")).isEqualTo(ByteRange.of(Bytes.EMPTY, Bytes.utf8("b")));
        assertThat(range("row in [a,)")).isEqualTo(new ByteRange(Bytes.utf8("a"), Optional.empty()));
        assertThat(range("row='\\xff\\\\'")).isEqualTo(ByteRange.only(Bytes.hex("ff5c")));
        assertThat(FilterText.parse("time in (3,9)")).isEqualTo(new Filter.Times(4, 8));
        assertThat(FilterText.parse("time in [,9]")).isEqualTo(new Filter.Times(Long.MIN_VALUE, 9));
        assertThat(FilterText.parse("time in [9223372036854775807,]"))
                .isEqualTo(new Filter.Times(Long.MAX_VALUE, Long.MAX_VALUE));
        wrong("time in (9223372036854775807,]", 9, "microseconds since 1970");
        wrong("time in [,-9223372036854775808)", 9, "a range that ends above -9223372036854775808");
        wrong("row in [b,a]", 8, "nothing lies from b");
        wrong("row in [,'')", 8, "nothing lies from '' to before ''");
    }

    @Test
    void whatIsWrongIsPointedAt() {
        wrong("", 0, "a filter, not the end");
        wrong("family=anchor &", 15, "a filter, not the end");
        wrong("family=anchor latest(1)", 14, "& or | or the end, not latest");
        wrong("famly=anchor", 0, "no filter is called famly");
        wrong("family=anchor & qualifier~'.*(cnn'", 29, "regular expression .*(cnn: missing closing )");
        wrong("qualifier~'cnn", 10, "a string that begins here ends with '");
        wrong("latest(0)", 7, "the latest 0 versions");
        wrong("latest(many)", 7, "a number of cells, not many");
        wrong("latest(3000000000)", 7, "a number of cells up to 2147483647, not 3000000000");
        wrong("sample(2)", 7, "not between 0 and 1");
        wrong("if(keys, all)", 12, ", and the filter for other rows, not )");
        wrong("column=anchor", 13, ": and a qualifier");
        wrong("row='\\q'", 5, "a backslash begins");
        wrong("row='it''s\\q'", 10, "not so at character 5 of \"it's\\q\"");
        wrong("value='abc\\x0'", 10, "not so at character 4 of");
        wrong("column=f:'a\\'", 11, "not so at character 2 of");
        wrong("row in ['\\q',b)", 9, "a backslash begins");
        wrong("qualifier~'ab(cd'", 13, "missing closing )");
        wrong("qualifier~'''a(b)c)'", 18, ") closes no (");
        wrong("qualifier~'a[bé]'", 14, "is 2 bytes, of which [] takes one");
        wrong("qualifier~'ab[cd'", 13, "missing closing ]");
        wrong("qualifier~'a\\y'", 12, "invalid escape sequence");
        wrong("qualifier~'a|*b'", 13, "missing argument to repetition operator");
        wrong("qualifier~'a*|*b'", 14, "missing argument to repetition operator");
        wrong("qualifier~'a**b**'", 12, "invalid nested repetition operator");
        wrong("qualifier~'b-a[b-a]'", 15, "invalid character class range");
        wrong("qualifier~'é\\Q\\y\\E\\y'", 18, "invalid escape sequence");
        wrong("qualifier~'(?P<n>n)(?P<n>n)'", 23, "duplicate");
        wrong("(keys", 5, ") closes the parenthesis, not the end");
        wrong("keys \"", 5, "stands in quotes");
        wrong("value!=x", 5, "negated with not before it, as in not value=x");
        wrong("!(value=x)", 0, "negated with not before it");
    }

    /** Of a text as it is read, of which the first letter here is two {@code char}s of Java. */
    @Test
    void whatIsWrongIsPointedAtByTheCharactersOfTheText() {
        wrong("row='😀' & famly=a", 10, "filter, character 11: no filter is called famly");
        wrong("value~'😀(' ", 8, "filter, character 9: regular expression \\xf0\\x9f\\x98\\x80(: missing closing )");
        wrong("row='😀\\q'", 6, "filter, character 7: a backslash begins \\\\ or \\xNN, not so at character 2 of");
        wrong("row=😀", 4, "'😀' stands in quotes");
    }

    @Test
    void aTextNestedTenThousandDeepIsRefusedAsAnyFilterSoDeepIs() {
        wrong("(".repeat(10_000) + "all" + ")".repeat(10_000), Limits.FILTER_DEPTH, "nested deeper than 20");
        wrong("if(all,".repeat(10_000), 19 * 7 + 3, "nested deeper than 20");
        assertThatThrownBy(() -> FilterText.parse("all|".repeat(Limits.FILTER_PARTS) + "all"))
                .hasMessageContaining("501 parts, more than 500");
    }

    /** Whatever stands behind it: a text may be sixteen million characters that come to gigabytes. */
    @Test
    void aTextOfTooMuchIsRefusedWhereItBecomesTooMuch() {
        wrong("all|".repeat(1_000_000) + "?", Limits.FILTER_PARTS * 4, "501 parts, more than 500");
        String regex = "row~'a{990}'|";
        int steps = Regex.of("a{990}").steps();
        int most = Limits.FILTER_STEPS / steps;
        wrong(
                regex.repeat(most + 1) + "?",
                most * regex.length() + 4,
                "unfold to " + (most + 1) * steps + " steps together, more than 20000");
        // 20 for the part, 6 for each name of one letter.
        wrong("family in {" + "f,".repeat(1_000_000), 11 + 2 * 3_410, "20486 bytes, more than 20480");
        wrong("column in {" + "f:q,".repeat(1_000_000), 11 + 4 * 1_705, "20486 bytes, more than 20480");
    }

    /** What is joined with what it stands in is no part of its own, and what is negated twice is as if it were not. */
    @Test
    void parenthesesAndNegationsAreNotCountedTwice() {
        int most = Limits.FILTER_PARTS - 1;
        assertThat(FilterText.parse("(keys|(keys|keys))|".repeat(most / 3) + "keys"))
                .isEqualTo(new Filter.Interleave(Collections.nCopies(most / 3 * 3 + 1, new Filter.Keys())));
        assertThat(FilterText.parse("not not row=a|".repeat(most - 1) + "keys")).isInstanceOf(Filter.Interleave.class);
    }

    @Test
    void everyExampleOfThePageIsAFilter() throws IOException {
        // The first line of a block; the others, and all of the block of cells before them, are what GuideIT compares.
        List<String> examples = Pattern.compile("```filter(?:-cells)?\n(.*)\n")
                .matcher(Files.readString(PAGE))
                .results()
                .map(block -> block.group(1))
                .filter(line -> !line.startsWith("com.cnn.www | "))
                .toList();
        assertThat(examples).hasSizeGreaterThan(15);
        for (String example : examples) {
            assertThat(FilterText.print(FilterText.parse(example)))
                    .as("printed")
                    .isEqualTo(example);
        }
    }

    @Test
    void everyErrorOfThePageIsWhatIsSaid() throws IOException {
        List<MatchResult> blocks = Pattern.compile("```filter-error\n(.*)\n( *)\\^\n(.*)\n```")
                .matcher(Files.readString(PAGE))
                .results()
                .toList();
        assertThat(blocks).hasSizeGreaterThan(1);
        for (MatchResult block : blocks) {
            FilterText.Malformed malformed =
                    catchThrowableOfType(FilterText.Malformed.class, () -> FilterText.parse(block.group(1)));
            assertThat(malformed.at()).isEqualTo(block.group(2).length());
            assertThat(malformed).hasMessage(block.group(3));
        }
    }

    private static ByteRange range(String text) {
        return ((Filter.Within) FilterText.parse(text)).range();
    }

    private static void wrong(String text, int at, String message) {
        FilterText.Malformed malformed = catchThrowableOfType(FilterText.Malformed.class, () -> FilterText.parse(text));
        assertThat(malformed).hasMessageContaining(message);
        assertThat(malformed.at()).as(text).isEqualTo(at);
    }
}
