package bt.testing;

/**
 * Something that happened in a simulation, in words.
 *
 * @param isSmall one of many of its kind, as a message that is lost: of interest to who knows already what to look for
 */
public record SimEvent(long nanos, String what, boolean isSmall) {}
