package bt.protocol;

/**
 * Names a write, so that a retry is known for one: the client's random id, the write's number (rising), and the lowest
 * number that this client has no answer for; what is below is forgotten.
 */
public record WriteId(long client, long number, long lowestOpen) {
    /** It has no answer for this one, whatever it says. */
    public WriteId {
        lowestOpen = Math.min(lowestOpen, number);
    }
}
