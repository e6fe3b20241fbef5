package bt.model;

import static bt.base.Check.checkGiven;

import bt.base.Bytes;
import bt.base.MalformedTextException;
import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import java.nio.charset.StandardCharsets;

/**
 * A regular expression that was read and takes no more memory than its text: ten bytes of it may be sixty thousand once
 * they are compiled. Whoever reads several, from somebody else, asks what they come to before. The paper has no such
 * thing.
 */
public final class UncompiledRegex {
    private final String text;
    private final RegexBytes read;
    private final int steps;

    private UncompiledRegex(String text, RegexBytes read, int steps) {
        this.text = text;
        this.read = read;
        this.steps = steps;
    }

    /**
     * IllegalArgumentException when it is larger than {@link Limits} says; a {@link MalformedTextException} where it names what is
     * no byte, or in a class not one.
     */
    public static UncompiledRegex of(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        checkGiven(
                bytes.length <= Limits.REGEX_BYTES,
                "regular expression: %d bytes, more than %d",
                "shorten it",
                bytes.length,
                Limits.REGEX_BYTES);
        checkGiven(
                text.equals(new String(bytes, StandardCharsets.UTF_8)),
                "regular expression: half of a character that takes two",
                "write both halves");
        RegexBytes read = RegexBytes.of(text);
        // What takes long to read may unfold to little: a class is one step, however much it says.
        long steps = Math.max(bytes.length, RegexSize.of(read.bytes()));
        checkSteps(steps);
        return new UncompiledRegex(text, read, (int) steps);
    }

    /** What it unfolds to at most, as {@link Limits#REGEX_STEPS} counts. */
    public int steps() {
        return steps;
    }

    /**
     * IllegalArgumentException when it is no regular expression; where it is known what is wrong in it, a {@link
     * MalformedTextException}.
     */
    public Regex compile() {
        Regex regex = later();
        regex.compile();
        return regex;
    }

    /** It may be no regular expression: {@link Regex#compile} tells, which has its time. */
    public Regex later() {
        return new Regex(this);
    }

    String text() {
        return text;
    }

    Pattern compiled() {
        try {
            Pattern pattern = pattern();
            checkSteps(pattern.programSize());
            return pattern;
        } catch (PatternSyntaxException wrong) {
            throw malformed(wrong);
        }
    }

    private Pattern pattern() {
        return Pattern.compile(read.bytes(), Pattern.DOTALL);
    }

    private static void checkSteps(long steps) {
        checkGiven(
                steps <= Limits.REGEX_STEPS,
                "regular expression: unfolds to %d steps, more than %d",
                "repeat less",
                steps,
                Limits.REGEX_STEPS);
    }

    /** It stands where what is wrong does, if that is known; else where the expression begins. */
    private MalformedTextException malformed(PatternSyntaxException wrong) {
        String what = "regular expression " + Bytes.utf8(text) + ": ";
        if (read.stray().isPresent()) {
            return new MalformedTextException(read.stray().getAsInt(), what + ") closes no (");
        }
        String part = wrong.getPattern();
        // Of all of it: RE2/J puts its flags before.
        if (part == null || part.endsWith(read.bytes())) {
            return new MalformedTextException(read.unclosed().orElse(0), what + wrong.getDescription());
        }
        int at = text.indexOf(part);
        if (at != text.lastIndexOf(part)) {
            at = text.lastIndexOf(part, endOfWhatIsWrong(wrong) - part.length());
        }
        return new MalformedTextException(Math.max(0, at), what + wrong.getDescription());
    }

    /** RE2/J names a piece, which may be there before too and right: behind the end of the shortest beginning that is wrong as all is. */
    private int endOfWhatIsWrong(PatternSyntaxException wrong) {
        int right = 0;
        int end = text.length();
        while (end - right > 1) {
            int middle = (right + end) >>> 1;
            if (isWrongToo(text.substring(0, middle), wrong)) {
                end = middle;
            } else {
                right = middle;
            }
        }
        return end;
    }

    private static boolean isWrongToo(String beginning, PatternSyntaxException wrong) {
        try {
            Pattern unused = of(beginning).pattern();
            return false;
        } catch (PatternSyntaxException other) {
            return wrong.getDescription().equals(other.getDescription())
                    && wrong.getPattern().equals(other.getPattern());
        } catch (IllegalArgumentException cut) {
            return false;
        }
    }
}
