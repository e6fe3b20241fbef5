package bt.model;

/**
 * The bounds of the data model, the same through every door. Section 2 of the paper has the one of row keys; the paper
 * has no others.
 */
public final class Limits {
    /** Of a row key, 1 at least; one that is longer is REJECTED, as whatever passes a bound here. */
    public static final int ROW_BYTES = 64 << 10;

    /**
     * Of the rows that a table is split at when it is created, all together: the names of tablets are kept in memory, some
     * times each, by the master and by the tablets' servers.
     */
    public static final int SPLIT_ROWS_BYTES = 1 << 20;

    /** Of a qualifier, which may be empty. */
    public static final int QUALIFIER_BYTES = 64 << 10;

    /**
     * Of a column that is read by its name: that a filter or a condition names, a transaction reads, or an increment or an
     * append changes. Longer ones are written, deleted, and found by family, range or regular expression.
     */
    public static final int NAMED_QUALIFIER_BYTES = 16 << 10;

    /** Of a value, which may be empty. */
    public static final int VALUE_BYTES = 64 << 20;

    /**
     * Of one request on its way to a server: what cannot be sent in parts, as a {@link RowMutation} with all of its row key,
     * qualifiers, values and a few bytes for each change, is REJECTED beyond. Those of {@code bt.rpc.RpcLimits} follow it.
     */
    public static final int REQUEST_BYTES = 80 << 20;

    /** Changes in one {@link RowMutation}. */
    public static final int CHANGES_PER_MUTATION = 100_000;

    /** Of the cells of a mutation with their keys, each of which has the row's, as they lie in memory. */
    public static final int MUTATION_BYTES = 128 << 20;

    /** Of all operands of a filter together, with a few bytes for each part: no filter is longer on the wire. */
    public static final int FILTER_BYTES = 20 << 10;

    /** How deep filters stand in filters. */
    public static final int FILTER_DEPTH = 20;

    /** Parts of a filter in all, those that hold others counted too. */
    public static final int FILTER_PARTS = 500;

    /** Conditions in a filter: each may read a row once more. */
    public static final int FILTER_CONDITIONS = 10;

    /** Of a regular expression, as UTF-8. */
    public static final int REGEX_BYTES = 1 << 10;

    /**
     * What a regular expression unfolds to, one at least for each byte that it is written with: a match takes at most so many
     * steps for each byte.
     */
    public static final int REGEX_STEPS = 2_000;

    /** Of all regular expressions of a filter together, each counted where it stands. */
    public static final int FILTER_STEPS = 20_000;

    /** Of all filters of a request, measured as {@link #FILTER_BYTES} measures one, without chains and interleavings. */
    public static final int REQUEST_FILTER_BYTES = 8 << 20;

    /** Of the regular expressions of all filters of a request, equal ones counted once; of all that a transaction reads with. */
    public static final int REQUEST_FILTER_STEPS = 200_000;

    /**
     * Of a table, which has hundreds at most, as section 2 of the paper has it: of each a memtable, and a file, tell how much of it
     * they have, and since when.
     */
    public static final int FAMILIES = 500;

    /** Of the rules that a family's rule is made of: all of them are asked at each cell. */
    public static final int FAMILY_RULES = 100;

    /** Of a table: who writes a memtable to files has a file of each open, with blocks that are being filled. */
    public static final int LOCALITY_GROUPS = 64;

    /** Of a table: its families, its locality groups and the rules that its families' rules are made of, all together. */
    public static final int SCHEMA_PARTS = 10_000;

    private Limits() {}
}
