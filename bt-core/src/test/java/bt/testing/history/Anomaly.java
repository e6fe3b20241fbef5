package bt.testing.history;

/**
 * Something that no correct cluster tells its clients.
 *
 * @param checker which law is broken, in one or two words
 */
public record Anomaly(String checker, String row, String what) {
    @Override
    public String toString() {
        return checker + ": row " + row + ": " + what;
    }
}
