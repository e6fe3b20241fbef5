package bt.testing;

import bt.base.ByteRange;
import bt.base.Bytes;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.Regex;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Filters of every kind with operands of every size and out of every byte and letter. */
public final class RandomFilters {
    private static final int DEEPEST = 4;

    private final RandomGenerator random;

    public RandomFilters(RandomGenerator random) {
        this.random = random;
    }

    public Filter filter() {
        return filter(1);
    }

    private Filter filter(int depth) {
        Filter.Kind kind = any(Filter.Kind.values());
        return switch (depth > DEEPEST ? Filter.Kind.ALL : kind) {
            case ALL -> Filter.ALL;
            case NONE -> Filter.NONE;
            case KEYS -> new Filter.Keys();
            case FAMILIES -> new Filter.Families(atLeast(1, this::text));
            case COLUMNS -> new Filter.Columns(atLeast(1, () -> new ColumnKey(text(), bytes())));
            case MATCHES ->
                new Filter.Matches(any(Filter.Part.values()), Regex.of(Pattern.quote(text()) + "|(?:[^\\xff'])+"));
            case WITHIN -> {
                Bytes from = bytes();
                Optional<Bytes> to = Optional.of(bytes()).filter(end -> from.compareTo(end) < 0);
                ByteRange range = random.nextInt(3) == 0 ? ByteRange.only(from) : new ByteRange(from, to);
                yield new Filter.Within(any(Filter.Part.values()), range);
            }
            case LATEST -> new Filter.Latest(positive());
            case SKIP_LATEST -> new Filter.SkipLatest(positive());
            case FIRST -> new Filter.First(positive());
            case SKIP_FIRST -> new Filter.SkipFirst(positive());
            case TIMES -> {
                long some = number();
                long other = random.nextInt(4) == 0 ? some : number();
                yield new Filter.Times(Math.min(some, other), Math.max(some, other));
            }
            case SAMPLE -> new Filter.Sample(1 - random.nextDouble() * 0.999999);
            case LABEL -> new Filter.Label("label-" + random.nextInt(99));
            case SCRIPT -> new Filter.Script(text(), text(), bytes());
            case NOT ->
                new Filter.Not(
                        random.nextBoolean()
                                ? new Filter.Columns(atLeast(1, () -> new ColumnKey(text(), bytes())))
                                : new Filter.Within(any(Filter.Part.values()), ByteRange.only(bytes())));
            case CHAIN -> new Filter.Chain(atLeast(2, () -> filter(depth + 1)));
            case INTERLEAVE -> new Filter.Interleave(atLeast(2, () -> filter(depth + 1)));
            case CONDITION -> new Filter.Condition(filter(depth + 2), filter(depth + 3), filter(depth + 3));
        };
    }

    private <T> T any(T[] some) {
        return some[random.nextInt(some.length)];
    }

    private Bytes bytes() {
        byte[] bytes = new byte[random.nextInt(12)];
        random.nextBytes(bytes);
        return Bytes.wrap(bytes);
    }

    private String text() {
        return random.ints(1 + random.nextInt(9), '!', 'ÿ')
                .mapToObj(Character::toString)
                .reduce("", String::concat);
    }

    private int positive() {
        return 1 + (random.nextInt(Integer.MAX_VALUE) >>> random.nextInt(31));
    }

    private long number() {
        return random.nextInt(9) == 0
                ? random.nextBoolean() ? Long.MIN_VALUE : Long.MAX_VALUE
                : random.nextLong() >> random.nextInt(64);
    }

    private <T> List<T> atLeast(int least, Supplier<T> item) {
        return Stream.generate(item).limit(least + random.nextInt(3)).toList();
    }
}
