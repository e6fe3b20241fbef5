package bt.examples.cluster;

/** A lock of the lock service that somebody holds; whoever holds it after has another transaction. */
public record HeldLock(String path, long transaction) {}
