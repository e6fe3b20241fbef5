package bt.model;

import static bt.base.Check.checkGiven;

import java.util.Locale;
import java.util.Optional;

/**
 * Who gives the cells of a family their timestamps (section 2 of the paper). Where it may be either, versions are in the
 * order of two clocks, and a client that is ahead hides what comes after it.
 */
public enum Timestamps {
    /** Whoever writes: a change without a timestamp gets the server's. */
    EITHER,
    /** The tablet server alone, in microseconds since 1970, each later than the one before in its tablet. */
    SERVER,
    /** The client alone, whatever its numbers mean: so nothing can be incremented or appended to. */
    CLIENT;

    /** Why a change is not taken, and what to do instead. */
    public record Refusal(String fact, String advice) {}

    /** Why a change that a client asks for is not taken, if it is not. */
    public Optional<Refusal> refuses(Change change) {
        boolean given = change instanceof Change.SetCell set && set.timestamp() != Change.SERVER_TIME;
        boolean left = change instanceof Change.SetCell && !given;
        return switch (this) {
            case EITHER -> Optional.empty();
            case SERVER ->
                given ? refusal("its server gives timestamps", "write the cell without one") : Optional.empty();
            case CLIENT -> {
                if (change.changed().isPresent()) {
                    yield refusal(
                            "its clients give timestamps, and " + change.kind() + " takes the server's",
                            "set the cell with a timestamp, or use a family whose timestamps may be the server's");
                }
                yield left ? refusal("its clients give timestamps", "write the cell with one") : Optional.empty();
            }
        };
    }

    private static Optional<Refusal> refusal(String fact, String advice) {
        return Optional.of(new Refusal(fact, advice));
    }

    /**
     * A timestamp that somebody named, where none is said by leaving it out. IllegalArgumentException for {@link
     * Change#SERVER_TIME}, which would be none.
     */
    public static long given(long timestamp) {
        checkGiven(
                timestamp != Change.SERVER_TIME,
                "timestamp %d: the lowest number of 64 bits is none",
                "leave it out for the server's time",
                timestamp);
        return timestamp;
    }

    /** As in {@code timestamps=server}. */
    public String text() {
        return name().toLowerCase(Locale.ROOT);
    }
}
