package bt.model;

/** The bounds of the data model, the same through every door. */
public final class Limits {
    public static final int ROW_BYTES = 64 << 10;
    public static final int QUALIFIER_BYTES = 64 << 10;
    public static final int VALUE_BYTES = 64 << 20;
    public static final int CHANGES_PER_MUTATION = 100_000;

    private Limits() {}
}
