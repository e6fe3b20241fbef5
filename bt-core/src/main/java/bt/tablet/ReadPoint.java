package bt.tablet;

/** Up to which sequence a read sees, and the time in microseconds that it judges ages by. */
record ReadPoint(long sequence, long nowMicros) {}
