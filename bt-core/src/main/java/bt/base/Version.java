package bt.base;

/** Of this program. */
public final class Version {
    public static final String TEXT = "0.1.0";

    private Version() {}
}
