package bt.tablet;

/** How large a tablet is. Frozen memtables are not yet in files, and are no part of the memtable. */
public record Sizes(long memtableBytes, long frozenBytes, long fileBytes, int files) {}
