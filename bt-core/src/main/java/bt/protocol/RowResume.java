package bt.protocol;

import bt.base.Bytes;

/**
 * Where to go on inside a row: after this cell key, seeing what the row's first page saw (the tablet's highest visible
 * sequence, the time in microseconds that ages were judged by).
 */
public record RowResume(Bytes afterKey, long sequence, long nowMicros) {}
