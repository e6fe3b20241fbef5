package bt.model;

import static java.util.Objects.requireNonNull;

import bt.base.BigtableException;
import bt.base.ByteRange;
import bt.base.Bytes;
import bt.base.MalformedTextException;
import bt.base.Slice;
import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A regular expression over bytes, in the syntax of RE2: no back references and no look-around, and in exchange time that
 * grows with the length of what is matched and with nothing else. Section 3 of the paper limits the columns of a scan
 * by one.
 *
 * <p>Bytes are matched as they lie, each as the character of its number (ISO 8859-1): {@code .} is one byte, a line feed
 * too, {@code \xff} the byte ff. What the expression says in letters stands for their UTF-8, so {@code é} is two bytes,
 * and {@code é+} repeats both; a class is one byte, and {@code [é]} is refused, as {@code
 * \pL} and {@code \x{20ac}} are, which name characters. Behind {@code (?i)} a letter stands for
 * all that differ from it by case, {@code É} for {@code é} too, but a byte in digits or in a class is what ISO 8859-1 has
 * at its number: {@code (?i)\xe9} is c9 too. A match is of the whole, not of something in it.
 */
public final class Regex {
    private final UncompiledRegex read;
    private volatile @Nullable Pattern pattern;

    Regex(UncompiledRegex read) {
        this.read = read;
    }

    /**
     * IllegalArgumentException when it is no regular expression, or larger than {@link Limits} says; where it is known what
     * is wrong in it, a {@link MalformedTextException}.
     */
    public static Regex of(String text) {
        return UncompiledRegex.of(text).compile();
    }

    /**
     * What else its first use does: some 0.2 ms for the largest, so one that came from somebody else is compiled where that does not
     * matter. IllegalArgumentException as {@link #of} has it: none of the others is called before.
     */
    public void compile() {
        if (pattern == null) {
            pattern = read.compiled();
        }
    }

    private Pattern pattern() {
        compile();
        return requireNonNull(pattern);
    }

    /** As it was written. */
    public String text() {
        return read.text();
    }

    /** What it unfolds to at most, as {@link Limits#REGEX_STEPS} counts. */
    public int steps() {
        return read.steps();
    }

    /** Whether this is all of the bytes. For many, {@link #matching} is faster. */
    public boolean matches(Bytes bytes) {
        return pattern().matcher(new Latin1(Slice.of(bytes))).matches();
    }

    /** One thread's matching, which the watch sees at work. */
    public Matching matching(Watch watch) {
        return new Matching(this, watch);
    }

    /** All that may match lies in it; empty where that says nothing. */
    public Optional<ByteRange> range() {
        RegexPrefix prefix = RegexPrefix.of(pattern().pattern());
        if (prefix.isWhole()) {
            return Optional.of(ByteRange.only(prefix.bytes()));
        }
        return prefix.bytes().isEmpty() ? Optional.empty() : Optional.of(ByteRange.prefix(prefix.bytes()));
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Regex that && text().equals(that.text());
    }

    @Override
    public int hashCode() {
        return text().hashCode();
    }

    @Override
    public String toString() {
        return text();
    }

    /** Looks on while a value is matched, which may be large, by an expression that goes many steps for each byte. */
    public interface Watch {
        /** The expression has gone about so many steps more, of some 20 ns at most; fails, with any {@link BigtableException}, when it is to end. */
        void worked(Regex regex, long steps) throws BigtableException;
    }

    /** One matching after the other. One thread. */
    public static final class Matching {
        /** About a millisecond. */
        static final long STEPS_BETWEEN_LOOKS = 50_000;

        /** What a byte costs beside the steps of the program. */
        private static final int STEPS_OF_A_BYTE = 4;

        /** RE2/J looks at each byte three times, behind and ahead of it too. */
        private static final int LOOKS_AT_A_BYTE = 3;

        private final Latin1 bytes = new Latin1(Slice.of(Bytes.EMPTY));
        private final Regex regex;
        private final Matcher matcher;
        private final Watch watch;
        private final int looksAtATime;

        private Matching(Regex regex, Watch watch) {
            this.regex = regex;
            Pattern pattern = regex.pattern();
            this.matcher = pattern.matcher(bytes);
            this.watch = watch;
            int stepsOfAByte = pattern.programSize() + STEPS_OF_A_BYTE;
            looksAtATime = (int) Math.max(1, LOOKS_AT_A_BYTE * STEPS_BETWEEN_LOOKS / stepsOfAByte);
            bytes.look = this::look;
            bytes.left = looksAtATime;
        }

        /** Whether the expression is all of these bytes; fails as the watch does, of the five kinds of {@link BigtableException}. */
        public boolean matches(Slice slice) throws BigtableException {
            bytes.window = slice;
            try {
                return matcher.reset(bytes).matches();
            } catch (Ended ended) {
                throw ended.reason;
            }
        }

        private void look() {
            bytes.left = looksAtATime;
            try {
                watch.worked(regex, STEPS_BETWEEN_LOOKS);
            } catch (BigtableException end) {
                throw new Ended(end);
            }
        }
    }

    /** Brings a failure through RE2/J. */
    private static final class Ended extends RuntimeException {
        private final BigtableException reason;

        Ended(BigtableException reason) {
            super(reason);
            this.reason = reason;
        }
    }

    /** Bytes as the characters of their numbers, where they lie. */
    private static final class Latin1 implements CharSequence {
        private Slice window;
        private Runnable look = () -> {};
        private int left = Integer.MAX_VALUE;

        Latin1(Slice window) {
            this.window = window;
        }

        @Override
        public int length() {
            return window.length();
        }

        @Override
        public char charAt(int index) {
            // The only place where RE2/J comes by again and again.
            if (--left < 0) {
                look.run();
            }
            return (char) (window.at(index) & 0xff);
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return toString().substring(start, end);
        }

        @Override
        public String toString() {
            return new String(window.array(), window.from(), window.length(), StandardCharsets.ISO_8859_1);
        }
    }
}
