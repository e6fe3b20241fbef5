package bt.rpc;

import static bt.base.Check.checkArgument;

import bt.protocol.Request;

/**
 * What one process lends to its connections. A connection with {@code connectionRequests} or {@code connectionBytes} in
 * flight is not read from until it is half way down again; beyond {@code serverRequests} or {@code serverBytes} requests
 * are answered OVERLOADED. What is in flight is a request from its header to the last byte of its answer. All connections
 * from one address, a peer, have shares of these of their own, so that nobody can take everything. A frame that has begun to
 * come, and an answer that has begun to wait, must have got on after {@code stallMillis}, at
 * {@value #LEAST_BYTES_PER_SECOND} bytes a second.
 */
public record RpcLimits(
        int frameBytes,
        int connections,
        int connectionRequests,
        long connectionBytes,
        int serverRequests,
        long serverBytes,
        Peer peer,
        int handshakeMillis,
        int stallMillis,
        int eventLoops) {
    /** A value of 64 MB and what surrounds it: what {@code bt.model.Limits.REQUEST_BYTES} tells applications of. */
    public static final int MAX_FRAME_BYTES = Request.MAX_BYTES;

    /** Slower is nobody who means it. */
    static final int LEAST_BYTES_PER_SECOND = 16 << 10;

    private static final long SERVER_BYTES =
            Math.max(MAX_FRAME_BYTES, Runtime.getRuntime().maxMemory() / 4);

    public static final RpcLimits DEFAULT = new RpcLimits(
            MAX_FRAME_BYTES,
            10_000,
            1_024,
            64L << 20,
            65_536,
            SERVER_BYTES,
            new Peer(2_500, 4_096, SERVER_BYTES / 2),
            10_000,
            30_000,
            Runtime.getRuntime().availableProcessors());

    public RpcLimits {
        checkArgument(
                frameBytes >= Frame.STRANGER_BYTES && frameBytes <= MAX_FRAME_BYTES,
                "frames of %d bytes, not %d to %d",
                frameBytes,
                Frame.STRANGER_BYTES,
                MAX_FRAME_BYTES);
        checkArgument(
                connections > 0
                        && connectionRequests > 0
                        && connectionBytes > 0
                        && serverRequests > 0
                        && serverBytes > 0
                        && handshakeMillis > 0
                        && stallMillis > 0
                        && eventLoops > 0,
                "every limit is above zero: %d connections",
                connections);
    }

    /** What all connections from one address may have together. */
    public record Peer(int connections, int requests, long bytes) {
        public Peer {
            checkArgument(
                    connections > 0 && requests > 0 && bytes > 0,
                    "a peer with %d connections, %d requests, %d bytes",
                    connections,
                    requests,
                    bytes);
        }
    }

    /** The same, with frames of so many bytes at most on so many connections, which so many event loops serve. */
    public RpcLimits on(int longestFrameBytes, int mostConnections, int loops) {
        return new RpcLimits(
                longestFrameBytes,
                mostConnections,
                connectionRequests,
                connectionBytes,
                serverRequests,
                serverBytes,
                peer,
                handshakeMillis,
                stallMillis,
                loops);
    }

    /** The same, with so many requests and bytes in flight on one connection. */
    public RpcLimits perConnection(int requests, long bytes) {
        return new RpcLimits(
                frameBytes,
                connections,
                requests,
                bytes,
                serverRequests,
                serverBytes,
                peer,
                handshakeMillis,
                stallMillis,
                eventLoops);
    }

    /** The same, with so many requests and bytes in flight on all connections together. */
    public RpcLimits perServer(int requests, long bytes) {
        return new RpcLimits(
                frameBytes,
                connections,
                connectionRequests,
                connectionBytes,
                requests,
                bytes,
                peer,
                handshakeMillis,
                stallMillis,
                eventLoops);
    }

    /** The same, with this share for each peer. */
    public RpcLimits perPeer(Peer share) {
        return new RpcLimits(
                frameBytes,
                connections,
                connectionRequests,
                connectionBytes,
                serverRequests,
                serverBytes,
                share,
                handshakeMillis,
                stallMillis,
                eventLoops);
    }

    /** The same, with other times to wait for strangers and for frames that stand still. */
    public RpcLimits patience(int newHandshakeMillis, int newStallMillis) {
        return new RpcLimits(
                frameBytes,
                connections,
                connectionRequests,
                connectionBytes,
                serverRequests,
                serverBytes,
                peer,
                newHandshakeMillis,
                newStallMillis,
                eventLoops);
    }
}
