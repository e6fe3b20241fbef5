package bt.rpc;

/** The connection that requests to an address take now, and when it may be replaced after it never became ready, or was left for its silence. */
record Route(Connection connection, int failures, long retryAtNanos) {
    private static final long FIRST_PAUSE_NANOS = 50_000_000;
    private static final int DOUBLINGS = 4;

    /**
     * A process that hangs still takes connections, and who waits for its welcome loses as long again as a dial bears; by the end of this
     * pause others have what it had, or it answers.
     */
    private static final long SILENCE_PAUSE_NANOS = Connection.HANDSHAKE_MILLIS * 1_000_000L;

    static Route first(Connection connection, long nowNanos) {
        return new Route(connection, 0, nowNanos);
    }

    boolean isOver(long nowNanos) {
        return connection.isClosed() && nowNanos - retryAtNanos >= 0;
    }

    Route replacedBy(Connection next) {
        return new Route(next, failures, retryAtNanos);
    }

    /** After nothing came for long from where something had come. */
    Route silent(long nowNanos) {
        return new Route(connection, 0, nowNanos + SILENCE_PAUSE_NANOS);
    }

    /** After another failure: 50 ms, doubled up to 800 ms. */
    Route failed(long nowNanos) {
        return new Route(connection, failures + 1, nowNanos + (FIRST_PAUSE_NANOS << Math.min(failures, DOUBLINGS)));
    }
}
