package bt.tablet;

import static bt.base.Check.checkArgument;

import bt.script.ScriptBudget;

/**
 * Bounds of a tablet. From {@code flushBytes} in memory on it wants a minor compaction; a page ends early once it has
 * looked at {@code workBytesPerPage}, whatever the filter let pass.
 */
public record TabletConfig(long flushBytes, long workBytesPerPage, int compiledScripts, ScriptBudget scriptBudget) {
    public static final TabletConfig DEFAULT = new TabletConfig(64L << 20, 64L << 20, 200, ScriptBudget.DEFAULT);

    public TabletConfig {
        checkArgument(
                flushBytes > 0 && workBytesPerPage > 0 && compiledScripts > 0,
                "flush at %d bytes, %d bytes of work a page, %d scripts",
                flushBytes,
                workBytesPerPage,
                compiledScripts);
    }
}
