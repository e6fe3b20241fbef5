package bt.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import bt.base.ByteRange;
import bt.base.Bytes;
import bt.base.MalformedTextException;
import bt.base.RejectedException;
import bt.base.Slice;
import bt.testing.SeededTest;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class RegexTest {
    private static final List<String> SIGNS = List.of(
            "\\Q",
            "\\E",
            "\\",
            "Q",
            "E",
            "[",
            "]",
            "[:alpha:]",
            "[:",
            ":]",
            "^",
            "-",
            "{",
            "}",
            "{2}",
            "{0,3}",
            "{2,}",
            "{,2}",
            "(",
            ")",
            "(?i)",
            "(?:",
            "(?P<a>",
            "(?-s:",
            "?",
            "*",
            "+",
            "|",
            "$",
            ".",
            "a",
            "b",
            "x",
            "x{61}",
            "p",
            "p{L}",
            "1",
            ",",
            "\\d",
            "\\pL",
            "\\x{61}",
            "\\x61",
            "\\b",
            "\\]",
            "\\[",
            "\\.",
            "\\\\",
            "\\1",
            "\\12",
            "\\0",
            "0",
            "+?",
            "*?",
            "U",
            "é",
            "É");

    private static final List<String> LETTERS = List.of("a", "A", "é", "É", "σ", "Σ", "漢", "😀");
    private static final List<String> REPEATS = List.of("*", "+", "?", "{2}", "{0,2}", "{1,}", "");

    @Test
    void matchesAllOfTheBytesAndNotSomethingInThem() {
        assertThat(Regex.of("cnn").matches(Bytes.utf8("cnn"))).isTrue();
        assertThat(Regex.of("cnn").matches(Bytes.utf8("cnnsi"))).isFalse();
        assertThat(Regex.of("").matches(Bytes.EMPTY)).isTrue();
        assertThat(Regex.of("a|b").matches(Bytes.utf8("ab"))).isFalse();
    }

    @Test
    void aByteIsOneCharacterWhateverItIs() {
        Bytes every = everyByte();
        assertThat(Regex.of(".{256}").matches(every)).isTrue();
        assertThat(Regex.of("(?-s).{256}").matches(every))
                .as("without line feeds")
                .isFalse();
        assertThat(Regex.of("[\\x00-\\xff]*").matches(every)).isTrue();
        assertThat(Regex.of("\\xff").matches(Bytes.hex("ff"))).isTrue();
        assertThat(Regex.of("é").matches(Bytes.utf8("é"))).isTrue();
        assertThat(Regex.of("..").matches(Bytes.utf8("é"))).isTrue();
    }

    @Test
    void aLetterOfSeveralBytesIsRepeatedAsAWhole() {
        assertThat(matches("é+", "éé")).isTrue();
        assertThat(matches("é+", "é\u00a9")).isFalse();
        assertThat(Regex.of("é+").matches(Bytes.hex("c3a9a9")))
                .as("the last byte alone")
                .isFalse();
        assertThat(matches("aé?😀{2}", "a😀😀")).isTrue();
        assertThat(matches("\\é*", "ééé")).as("behind a backslash").isTrue();
        assertThat(matches("é\\Q\\E{2}", "éé")).as("behind nothing").isTrue();
        assertThat(matches("é(?s)*", "éé")).as("behind a flag").isTrue();
        assertThat(matches("\\Q+é\\E+", "+éé")).as("in a quotation").isTrue();
        assertThat(matches("\\Qé+\\é\\E", "é+\\é")).as("letters alone").isTrue();
        assertThat(matches("\\Qé+", "é+")).as("to the end").isTrue();
    }

    @Test
    void withoutCaseALetterIsAnyThatDiffersFromItByCase() {
        assertThat(matches("(?i)É+", "éÉ")).isTrue();
        assertThat(Regex.of("(?i)É").matches(Bytes.hex("e389")))
                .as("each byte as a letter of ISO 8859-1")
                .isFalse();
        assertThat(matches("(?i)\\Qσ\\E", "ς")).isTrue();
        assertThat(matches("(?i)漢ẞ", "漢ß")).isTrue();
        assertThat(matches("(?i)ß", "SS")).as("a letter that is two").isFalse();
        assertThat(matches("(?i:é)é", "Éé")).isTrue();
        assertThat(matches("(?i:é)é", "éÉ")).as("outside of the group").isFalse();
        assertThat(matches("(é(?i)é)é", "éÉé")).isTrue();
        assertThat(matches("(é(?i)é)é", "éÉÉ")).as("behind the group").isFalse();
        assertThat(matches("(?i)a(?-i)é", "Aé")).isTrue();
        assertThat(Regex.of("(?i)\\xe9").matches(Bytes.hex("c9")))
                .as("a byte in digits, as a letter of ISO 8859-1")
                .isTrue();
        assertThat(matches("(?i)a(?-i)é", "AÉ")).as("case counts again").isFalse();
    }

    @Test
    void aLetterOfSeveralBytesInAClassIsPointedAt() {
        assertThatThrownBy(() -> Regex.of("a[bé]"))
                .hasMessage("regular expression a[b\\xc3\\xa9]: \\xc3\\xa9 is 2 bytes, of which [] takes one: write it"
                        + " beside, as in (?:[a-z]|\\xc3\\xa9)")
                .isInstanceOfSatisfying(MalformedTextException.class, wrong -> assertThat(wrong.at())
                        .isEqualTo(3));
        assertThat(matches("a(?:[b-d]|é)", "aé")).isTrue();
    }

    @Test
    void whatNamesCharactersThatAreNoBytesIsPointedAt() {
        for (String regex : List.of(
                "a\\pL",
                "a\\PN*",
                "a\\p{Greek}",
                "a\\P{^Lu}b",
                "a\\x{20ac}",
                "a\\x{100}",
                "a\\400",
                "a[\\pL]",
                "a[b-\\x{2022}]")) {
            assertThatThrownBy(() -> Regex.of(regex))
                    .as(regex)
                    .hasMessageMatching(
                            "regular expression .*: \\\\\\S+ is (of characters, and bytes are matched|no byte): .*")
                    .isInstanceOfSatisfying(MalformedTextException.class, wrong -> assertThat(wrong.at())
                            .isEqualTo(regex.indexOf('\\')));
        }
        for (String regex : List.of("\\x{e9}", "\\xe9", "\\351", "[\\x{80}-\\xff]", "\\x{0000e9}")) {
            assertThat(Regex.of(regex).matches(Bytes.hex("e9"))).as(regex).isTrue();
        }
        assertThat(matches("\\Q\\pL\\E", "\\pL")).as("a quotation").isTrue();
        assertThat(matches("\\\\pL", "\\pL")).as("a backslash, and letters").isTrue();
        assertThat(matches("\\x{65}\\145[\\x65]", "eee")).isTrue();
    }

    /** Of letters alone, for {@code .} is a byte here: what a regular expression over characters says of text. */
    @SeededTest(runs = 500)
    void anExpressionOfLettersSaysOfBytesWhatItSaysOfText(RandomGenerator random) {
        String regex = ofLetters(random, 3);
        java.util.regex.Pattern characters =
                java.util.regex.Pattern.compile(regex, java.util.regex.Pattern.UNICODE_CASE);
        for (int i = 0; i < 50; i++) {
            String text = letters(random, 5);
            assertThat(Regex.of(regex).matches(Bytes.utf8(text)))
                    .as("%s of %s", text, regex)
                    .isEqualTo(characters.matcher(text).matches());
            Optional<ByteRange> range = range(regex);
            if (range.isPresent() && characters.matcher(text).matches()) {
                assertThat(range.get().contains(Bytes.utf8(text)))
                        .as("%s in the range of %s", text, regex)
                        .isTrue();
            }
        }
    }

    /** RE2/J by itself takes their first letter for the same. */
    @Test
    void alternativesOfWhichOneFoldsItsCaseHaveNothingInCommon() {
        for (String regex : List.of("(?i:a)x|A", "A|(?i:a)x", "((?i)a(?-i)x|A)", "(?i)ax|(?-i)A")) {
            assertThat(Regex.of(regex).matches(Bytes.utf8("a"))).as(regex).isFalse();
            for (String text : List.of("A", "ax", "Ax")) {
                assertThat(Regex.of(regex).matches(Bytes.utf8(text)))
                        .as("%s of %s", text, regex)
                        .isTrue();
            }
        }
    }

    @Test
    void whatIsNoRegularExpressionIsRefusedInWordsOfItsOwn() {
        assertThatThrownBy(() -> Regex.of("a(b"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("regular expression a(b: missing closing )");
        assertThatThrownBy(() -> Regex.of("(a)\\1")).hasMessageContaining("invalid escape sequence");
        assertThatThrownBy(() -> Regex.of("\ud800")).hasMessageContaining("half of a character");
        assertThatThrownBy(() -> Regex.of("a".repeat(Limits.REGEX_BYTES + 1)))
                .hasMessageContaining("1025 bytes, more than 1024");
        assertThat(Regex.of("a".repeat(Limits.REGEX_BYTES)).matches(Bytes.utf8("a".repeat(Limits.REGEX_BYTES))))
                .isTrue();
    }

    @Test
    void whatWouldBlowUpABacktrackingEngineTakesLinearTime() {
        Bytes hard = Bytes.utf8("a".repeat(20_000) + "b");
        assertTimeoutPreemptively(
                Duration.ofSeconds(20),
                () -> assertThat(Regex.of("(a*)*c").matches(hard)).isFalse());
    }

    @Test
    void aLongMatchIsSeenAtWorkInProportionToItsBytesAndItsSteps() throws Exception {
        long few = stepsOf("[^x]*b", 100_000);
        long many = stepsOf("[^x]*(a|b|c|d|e|f|g|h){9}b", 100_000);
        assertThat(few).isBetween(500_000L, 2_000_000L);
        assertThat(many).isGreaterThan(3 * few);
        assertThat(stepsOf("[^x]*b", 400_000)).isBetween(3 * few, 5 * few);
        assertThat(stepsOf("b.*", 100_000))
                .as("one whose first byte is looked for before anything else")
                .isLessThan(few / 2);
    }

    private static long stepsOf(String regex, int bytes) throws Exception {
        long[] seen = new long[1];
        Regex.Matching matching = Regex.of(regex).matching((at, steps) -> seen[0] += steps);
        assertThat(matching.matches(Slice.of(Bytes.utf8("a".repeat(bytes))))).isFalse();
        return seen[0];
    }

    @Test
    void aMatchEndsWhereItsWatchFailsAndTheNextOneIsAsEver() throws Exception {
        int[] looks = new int[1];
        Regex.Matching matching = Regex.of("([^x]*a?){150}c").matching((at, steps) -> {
            if (++looks[0] == 3) {
                throw new RejectedException(at + " is ended", "ask for another");
            }
        });
        Slice large = Slice.of(Bytes.utf8("a".repeat(10_000_000)));
        assertTimeoutPreemptively(Duration.ofSeconds(20), () -> assertThatThrownBy(() -> matching.matches(large))
                .isInstanceOf(RejectedException.class)
                .hasMessage("([^x]*a?){150}c is ended: ask for another"));
        assertThat(matching.matches(Slice.of(Bytes.utf8("aac")))).isTrue();
        assertThat(matching.matches(Slice.of(Bytes.utf8("aax")))).isFalse();
    }

    @Test
    void whatWouldNotFitTheMemoryIsRefusedBeforeItIsCompiled() {
        for (String regex : List.of(
                "((x{1000}){1000}){1000}",
                "(((((a{99}){99}){99}){99}){99})",
                "x{1000,}{1000,}",
                "\\Q[\\E((x{1000}){1000}){1000}",
                "\\Q(\\E((x{1000}){1000}){1000}",
                "[[:alpha:][]((x{1000}){1000}){1000}",
                "[^[:alpha:][]((x{1000}){1000}){1000}",
                "(\\Qx\\E{1000}){1000}",
                "x{1000}(?i){1000}(?-i){1000}",
                "x{1000}\\Q\\E{1000}")) {
            assertThatThrownBy(() -> Regex.of(regex)).hasMessageContaining("steps, more than 2000: repeat less");
        }
    }

    /** The bound is worth what the estimate is: no program may be larger. */
    @SeededTest(runs = 3000)
    void noProgramHasMoreStepsThanWereFound(RandomGenerator random) {
        String regex = random(random, 4);
        long steps = RegexSize.of(regex);
        if (steps <= 20_000) {
            assertThat((long) Pattern.compile(regex, Pattern.DOTALL).programSize())
                    .as(regex)
                    .isLessThanOrEqualTo(steps);
        }
    }

    /** Of any signs at all: where what is read here ends elsewhere than for who compiles it, much could hide behind. */
    @SeededTest(runs = 20)
    void noProgramOfAnySignsHasMoreStepsThanWereFound(RandomGenerator random) {
        for (int i = 0; i < 5_000; i++) {
            checkAnySigns(random);
        }
    }

    @Test
    void theRangeOfAnExpressionIsThatOfWhatItBeginsWith() {
        assertThat(range("com\\.cnn.*")).contains(ByteRange.prefix(Bytes.utf8("com.cnn")));
        assertThat(range("^com")).contains(ByteRange.only(Bytes.utf8("com")));
        assertThat(range("com/index*")).contains(ByteRange.prefix(Bytes.utf8("com/inde")));
        assertThat(range("abc+")).contains(ByteRange.prefix(Bytes.utf8("abc")));
        assertThat(range("ab|cd")).isEmpty();
        assertThat(range("(?i)ab")).isEmpty();
        assertThat(range(".*")).isEmpty();
        assertThat(range("é.*")).contains(ByteRange.prefix(Bytes.utf8("é")));
        assertThat(range("aé*")).contains(ByteRange.prefix(Bytes.utf8("a")));
    }

    @SeededTest(runs = 1000)
    void whatMatchesLiesInTheRange(RandomGenerator random) {
        Regex regex = Regex.of(random(random, 2));
        Optional<ByteRange> range = regex.range();
        for (int i = 0; i < 50; i++) {
            Bytes bytes = Bytes.utf8(text(random, "abc.", 4));
            if (range.isPresent() && regex.matches(bytes)) {
                assertThat(range.get().contains(bytes))
                        .as("%s of %s", bytes, regex)
                        .isTrue();
            }
        }
    }

    private static boolean matches(String regex, String text) {
        return Regex.of(regex).matches(Bytes.utf8(text));
    }

    private static String ofLetters(RandomGenerator random, int depth) {
        if (depth == 0) {
            return letters(random, 2);
        }
        String some = ofLetters(random, depth - 1);
        return switch (random.nextInt(8)) {
            case 0 -> "(?:" + some + ")" + REPEATS.get(random.nextInt(REPEATS.size()));
            case 1 ->
                some
                        + letters(random, 2)
                        + (random.nextBoolean() ? "é" : "漢")
                        + REPEATS.get(random.nextInt(REPEATS.size()));
            case 2 -> "(" + some + "|" + ofLetters(random, depth - 1) + ")";
            case 3 -> "(?i:" + some + ")";
            case 4 -> "(?i)" + some + "(?-i)" + letters(random, 2);
            case 5 -> "(" + some + "(?i)" + letters(random, 2) + ")" + letters(random, 2);
            case 6 -> "\\Q" + letters(random, 2) + "\\E" + some;
            default -> some + ofLetters(random, depth - 1);
        };
    }

    private static String letters(RandomGenerator random, int most) {
        StringBuilder letters = new StringBuilder();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            letters.append(LETTERS.get(random.nextInt(LETTERS.size())));
        }
        return letters.toString();
    }

    private static void checkAnySigns(RandomGenerator random) {
        StringBuilder signs = new StringBuilder();
        for (int i = random.nextInt(12); i >= 0; i--) {
            signs.append(SIGNS.get(random.nextInt(SIGNS.size())));
        }
        String regex = signs.toString();
        long steps;
        Pattern pattern;
        try {
            String bytes = RegexBytes.of(regex).bytes();
            steps = RegexSize.of(bytes);
            pattern = Pattern.compile(bytes, Pattern.DOTALL);
        } catch (PatternSyntaxException | MalformedTextException malformed) {
            return;
        }
        assertThat((long) pattern.programSize()).as(regex).isLessThanOrEqualTo(steps);
        for (String text : List.of("", "a", "b", "ba", "ab", "aab", "[", "Q")) {
            Bytes bytes = Bytes.utf8(text);
            if (Regex.of(regex).matches(bytes)) {
                assertThat(Regex.of(regex)
                                .range()
                                .map(range -> range.contains(bytes))
                                .orElse(true))
                        .as("%s of %s", text, regex)
                        .isTrue();
            }
        }
    }

    private static Optional<ByteRange> range(String regex) {
        return Regex.of(regex).range();
    }

    private static Bytes everyByte() {
        byte[] every = new byte[256];
        for (int i = 0; i < every.length; i++) {
            every[i] = (byte) i;
        }
        return Bytes.wrap(every);
    }

    private static String random(RandomGenerator random, int depth) {
        String some =
                switch (random.nextInt(depth > 0 ? 9 : 5)) {
                    case 0 -> text(random, "abc", 3);
                    case 1 -> ".";
                    case 2 -> "[]a-c{2}]";
                    case 3 -> "\\.";
                    case 4 -> new String[] {"\\w", "\\x{61}", "^", "\\Qa{2}\\E", "[[:alpha:]]"}[random.nextInt(5)];
                    case 5 -> "(" + random(random, depth - 1) + ")";
                    case 6 -> "(?:" + random(random, depth - 1) + "|" + random(random, depth - 1) + ")";
                    default -> random(random, depth - 1) + random(random, depth - 1);
                };
        String[] repeats = {"", "", "", "*", "+?", "?", "{2}", "{0,3}", "{2,}", "{0}"};
        String repeat = repeats[random.nextInt(repeats.length)];
        return repeat.isEmpty() ? some : "(?:" + some + ")" + repeat;
    }

    private static String text(RandomGenerator random, String letters, int most) {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(most + 1); i > 0; i--) {
            text.append(letters.charAt(random.nextInt(letters.length())));
        }
        return new String(text.toString().getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }
}
