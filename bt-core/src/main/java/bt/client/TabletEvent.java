package bt.client;

import bt.model.TabletId;

/**
 * Something that happened to a tablet, as METADATA keeps it: microseconds of the clock of the server that wrote it down.
 * Section 5.1 of the paper has such a log.
 */
public record TabletEvent(TabletId tablet, long micros, String what) {}
