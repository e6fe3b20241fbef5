package bt.sstable;

import static bt.base.Check.checkArgument;
import static bt.base.Check.checkState;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The codecs that this process knows: ours, and those of users that lie on its class path. */
public final class Codecs {
    private static final ZstdCodec ZSTD = new ZstdCodec();
    private static final List<DictionaryCodec> WITH_DICTIONARY =
            List.of(new ZstdDictionaryCodec(ZSTD), new TwoPassCodec(ZSTD));
    private static final List<Codec> PLAIN = plain();
    private static final List<String> NAMES = Stream.concat(
                    PLAIN.stream().map(Codec::name), WITH_DICTIONARY.stream().map(DictionaryCodec::name))
            .toList();
    private static final String LISTED = String.join(", ", NAMES);

    /** What dictionaries are compressed with themselves. */
    static final Codec DICTIONARIES = ZSTD;

    private Codecs() {}

    /** What a locality group's {@code codec} may be, ours first. */
    public static List<String> names() {
        return NAMES;
    }

    public static boolean isKnown(String name) {
        return NAMES.contains(name);
    }

    static void check(String name) {
        checkArgument(isKnown(name), "codec \"%s\" is none of %s", name, LISTED);
    }

    /** For the cells of a new file. */
    static FileEncoder encoder(String name) {
        return dictionaryCodec(name).map(DictionaryCodec::encoder).orElseGet(() -> new PlainEncoder(named(name)));
    }

    /** For what else a new file has. */
    static FileEncoder encoderWithoutDictionary(String name) {
        return new PlainEncoder(
                dictionaryCodec(name).map(DictionaryCodec::withoutDictionary).orElseGet(() -> named(name)));
    }

    static Optional<Codec> plain(int number) {
        return PLAIN.stream().filter(codec -> codec.number() == number).findFirst();
    }

    static Optional<DictionaryCodec> withDictionary(int number) {
        return WITH_DICTIONARY.stream()
                .filter(codec -> codec.number() == number)
                .findFirst();
    }

    private static Codec named(String name) {
        check(name);
        return PLAIN.stream()
                .filter(codec -> codec.name().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private static Optional<DictionaryCodec> dictionaryCodec(String name) {
        return WITH_DICTIONARY.stream()
                .filter(codec -> codec.name().equals(name))
                .findFirst();
    }

    private static List<Codec> plain() {
        List<Codec> codecs = new ArrayList<>(List.of(Codec.NONE, new Lz4Codec(), ZSTD));
        Set<String> names = Stream.concat(
                        codecs.stream().map(Codec::name),
                        WITH_DICTIONARY.stream().map(DictionaryCodec::name))
                .collect(Collectors.toSet());
        Set<Integer> numbers = new HashSet<>();
        for (Codec users : ServiceLoader.load(Codec.class, Codecs.class.getClassLoader())) {
            int number = users.number();
            checkState(
                    number >= Codec.USERS_FIRST && number <= Codec.USERS_LAST,
                    "codec \"%s\" has the number %d, not %d to %d",
                    users.name(),
                    number,
                    Codec.USERS_FIRST,
                    Codec.USERS_LAST);
            checkState(
                    names.add(users.name()) && numbers.add(number),
                    "codec \"%s\" with the number %d: there is another of that name or number",
                    users.name(),
                    number);
            codecs.add(users);
        }
        return List.copyOf(codecs);
    }
}
