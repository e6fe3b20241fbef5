package bt.protocol;

/** Who is asking: the identity that the handshake established, and where from. The deadline is monotonic nanoseconds. */
public record Caller(String user, String address, long deadlineNanos) {}
