package bt.model;

import bt.base.ByteRange;
import bt.base.Bytes;
import bt.base.MalformedTextException;
import bt.model.Filter.Part;
import bt.model.FilterLexer.Kind;
import bt.model.FilterLexer.Token;
import bt.model.FilterText.Malformed;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads the text of a filter by recursive descent, no deeper than a filter may be, and no farther than it is as large as one
 * may be: a text may be as long as whoever sends it likes.
 */
final class FilterParser {
    private static final String PARTS = "row, family, qualifier, column, value or time";
    private static final String FILTERS =
            "not FILTER, all, none, keys, latest(N), skip_latest(N), first(N), skip_first(N), "
                    + "sample(SHARE), label(NAME), script(ENGINE, 'SOURCE'), if(FILTER, FILTER, FILTER), or a comparison of "
                    + PARTS;

    private final FilterLexer tokens;
    private final FilterTally tally = new FilterTally();
    private int depth;

    FilterParser(FilterLexer tokens) {
        this.tokens = tokens;
    }

    Filter parse() {
        Filter filter = interleave();
        if (tokens.peek().kind() != Kind.END) {
            throw new Malformed(tokens.peek().at(), "& or | or the end, not " + tokens.peek());
        }
        return filter;
    }

    private Filter interleave() {
        int at = tokens.peek().at();
        List<Filter> parts = nested(() -> {
            List<Filter> chains = new ArrayList<>(List.of(chain()));
            while (tokens.take('|')) {
                chains.add(chain());
            }
            return chains;
        });
        return parts.size() == 1 ? parts.get(0) : made(at, () -> new Filter.Interleave(parts));
    }

    /** Each step down is at least one in the filter too, but for parentheses that say nothing, and what is negated twice. */
    private <T> T nested(Supplier<T> below) {
        made(tokens.peek().at(), () -> {
            FilterSize.checkDepth(++depth);
            return depth;
        });
        T read = below.get();
        depth--;
        return read;
    }

    private Filter chain() {
        int at = tokens.peek().at();
        List<Filter> parts = new ArrayList<>(List.of(term()));
        while (tokens.take('&')) {
            parts.add(term());
        }
        return parts.size() == 1 ? parts.get(0) : made(at, () -> new Filter.Chain(parts));
    }

    private Filter term() {
        if (tokens.take('(')) {
            Filter inside = interleave();
            tokens.expect(')', "closes the parenthesis");
            return inside;
        }
        Token word = tokens.next();
        if (word.kind() != Kind.WORD) {
            throw new Malformed(word.at(), "a filter, not " + word + ": " + FILTERS);
        }
        if (!word.isWord("not")) {
            // What is negated twice is there once.
            count(word.at(), tally::part);
        }
        return switch (word.text()) {
            case "all" -> Filter.ALL;
            case "none" -> Filter.NONE;
            case "keys" -> new Filter.Keys();
            case "latest" -> counted(Filter.Latest::new);
            case "skip_latest" -> counted(Filter.SkipLatest::new);
            case "first" -> counted(Filter.First::new);
            case "skip_first" -> counted(Filter.SkipFirst::new);
            case "sample" -> called(text -> new Filter.Sample(Double.parseDouble(text)), "a share, as in 0.1");
            case "label" -> called(Filter.Label::new, "a name");
            case "script" -> script();
            case "if" -> condition();
            case "not" -> {
                Filter negated = nested(this::term);
                yield made(word.at(), () -> Filter.not(negated));
            }
            case "row", "family", "qualifier", "value" -> comparison(word);
            case "column" -> columns();
            case "time" -> time();
            default -> throw new Malformed(word.at(), "no filter is called " + word + ": " + FILTERS);
        };
    }

    private Filter counted(Function<Integer, Filter> filter) {
        return called(text -> filter.apply(Integer.parseInt(text)), "a number of cells");
    }

    private Filter called(Function<String, Filter> filter, String operand) {
        tokens.expect('(', "and " + operand);
        Token given = text(operand);
        Filter made = made(given.at(), () -> {
            try {
                return filter.apply(given.text());
            } catch (NumberFormatException wrong) {
                String most = given.text().matches("[0-9]+") ? " up to " + Integer.MAX_VALUE : "";
                throw new Malformed(given.at(), operand + most + ", not " + given);
            }
        });
        tokens.expect(')', "behind " + operand);
        return made;
    }

    private Filter script() {
        int at = tokens.expect('(', "and the script").at();
        String engine = text("the engine").text();
        tokens.expect(',', "behind the engine");
        String source = text("the script's source").text();
        Bytes argument = tokens.take(',') ? bytes(text("the script's argument")) : Bytes.EMPTY;
        tokens.expect(')', "behind the script");
        return made(at, () -> new Filter.Script(engine, source, argument));
    }

    private Filter condition() {
        int at = tokens.expect('(', "and a predicate").at();
        Filter predicate = interleave();
        tokens.expect(',', "and the filter for rows of which the predicate lets a cell pass");
        Filter then = interleave();
        tokens.expect(',', "and the filter for other rows");
        Filter otherwise = interleave();
        tokens.expect(')', "behind the condition");
        return made(at, () -> new Filter.Condition(predicate, then, otherwise));
    }

    private Filter comparison(Token word) {
        Part part = Part.valueOf(word.text().toUpperCase(Locale.ROOT));
        if (tokens.take('~')) {
            Token regex = text("a regular expression");
            return new Filter.Matches(part, made(regex, this::regex));
        }
        boolean one = isOne(word);
        if (part == Part.FAMILY && (one || tokens.peek().is('{'))) {
            int at = tokens.peek().at();
            List<String> names = list(one, this::family);
            return made(at, () -> new Filter.Families(names));
        }
        int at = tokens.peek().at();
        ByteRange range = one ? ByteRange.only(bytes(text("a " + word))) : range(word);
        return made(at, () -> new Filter.Within(part, range));
    }

    private Regex regex(String text) {
        UncompiledRegex read = UncompiledRegex.of(text);
        tally.steps(read.steps());
        return read.compile();
    }

    private String family() {
        Token family = text("a family");
        count(family.at(), () -> tally.operand(family.text().length()));
        return family.text();
    }

    private Filter columns() {
        boolean one = isOne(new Token(Kind.WORD, "column", tokens.peek().at()));
        int at = tokens.peek().at();
        List<ColumnKey> columns = list(one, this::column);
        return made(at, () -> new Filter.Columns(columns));
    }

    private ColumnKey column() {
        Token family = text("family:qualifier");
        tokens.expect(':', "and a qualifier, '' for the empty one");
        Bytes qualifier = bytes(text("a qualifier"));
        count(family.at(), () -> {
            tally.operand(family.text().length());
            tally.operand(qualifier.length());
        });
        return made(family.at(), () -> new ColumnKey(family.text(), qualifier));
    }

    private Filter time() {
        if (isOne(new Token(Kind.WORD, "time", tokens.peek().at()))) {
            long time = number(0);
            return new Filter.Times(time, time);
        }
        boolean withFirst = opens();
        int at = tokens.peek().at();
        long oldest = tokens.peek().is(',') ? Long.MIN_VALUE : number(withFirst ? 0 : 1);
        tokens.expect(',', "between the ends of the range");
        boolean open = tokens.peek().is(']') || tokens.peek().is(')');
        long newest = open ? Long.MAX_VALUE : number(0);
        boolean excluded = !closes() && !open;
        if (excluded && newest == Long.MIN_VALUE) {
            throw new Malformed(at, "a range that ends above " + Long.MIN_VALUE + ", before which there is no time");
        }
        return made(at, () -> new Filter.Times(oldest, excluded ? newest - 1 : newest));
    }

    private long number(int more) {
        Token number = text("microseconds since 1970");
        try {
            return Math.addExact(Long.parseLong(number.text()), more);
        } catch (NumberFormatException | ArithmeticException wrong) {
            throw new Malformed(number.at(), "microseconds since 1970, not " + number);
        }
    }

    private ByteRange range(Token word) {
        boolean withFirst = opens();
        int at = tokens.peek().at();
        Bytes first = tokens.peek().is(',') ? Bytes.EMPTY : edge(word, !withFirst);
        tokens.expect(',', "between the ends of the range");
        if (tokens.peek().is(']') || tokens.peek().is(')')) {
            closes();
            return new ByteRange(first, Optional.empty());
        }
        Bytes last = bytes(text("a " + word));
        boolean withLast = closes();
        return made(at, () -> ByteRange.of(first, withLast ? last.successor() : last));
    }

    private Bytes edge(Token word, boolean excluded) {
        Bytes edge = bytes(text("a " + word));
        return excluded ? edge.successor() : edge;
    }

    /** Whether the first of the range belongs to it. */
    private boolean opens() {
        if (tokens.take('[')) {
            return true;
        }
        tokens.expect('(', "or [ begins a range");
        return false;
    }

    /** Whether the last of the range belongs to it. */
    private boolean closes() {
        if (tokens.take(']')) {
            return true;
        }
        tokens.expect(')', "or ] ends the range");
        return false;
    }

    /** Whether one is named, and not several. */
    private boolean isOne(Token word) {
        if (tokens.take('=')) {
            return true;
        }
        if (!tokens.peek().isWord("in")) {
            throw new Malformed(tokens.peek().at(), "= or ~ or in behind " + word + ", not " + tokens.peek());
        }
        tokens.next();
        return false;
    }

    private <T> List<T> list(boolean one, Supplier<T> element) {
        if (one) {
            return List.of(element.get());
        }
        tokens.expect('{', "begins a list");
        List<T> elements = new ArrayList<>(List.of(element.get()));
        while (tokens.take(',')) {
            elements.add(element.get());
        }
        tokens.expect('}', "ends the list");
        return elements;
    }

    private Token text(String what) {
        Token token = tokens.peek();
        if (token.kind() != Kind.WORD && token.kind() != Kind.STRING) {
            throw new Malformed(token.at(), what + ", not " + token);
        }
        return tokens.next();
    }

    private static Bytes bytes(Token token) {
        return made(token, Bytes::parse);
    }

    /** What is wrong in a text is wrong at that character of it. */
    private static <T> T made(Token token, Function<String, T> value) {
        return made(token.at(), () -> {
            try {
                return value.apply(token.text());
            } catch (MalformedTextException wrong) {
                throw new Malformed(token.at(wrong.at()), String.valueOf(wrong.getMessage()));
            }
        });
    }

    private static void count(int at, Runnable counting) {
        boolean unused = made(at, () -> {
            counting.run();
            return true;
        });
    }

    /** What is wrong with a value is wrong where it stands. */
    private static <T> T made(int at, Supplier<T> value) {
        try {
            return value.get();
        } catch (Malformed known) {
            throw known;
        } catch (IllegalArgumentException | ArithmeticException wrong) {
            throw new Malformed(at, String.valueOf(wrong.getMessage()), wrong);
        }
    }
}
