package bt.script;

/** What one read may spend on its script. */
public record ScriptBudget(long cpuNanosPerPage, long allocatedBytesPerPage) {
    public static final ScriptBudget DEFAULT = new ScriptBudget(5_000_000_000L, 1L << 30);
}
