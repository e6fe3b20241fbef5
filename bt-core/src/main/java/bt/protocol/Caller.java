package bt.protocol;

import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Who is asking: the identity that the handshake established, and where from. The deadline is monotonic nanoseconds. Gone
 * is who can get no answer any more: the connection is closed. Any thread may ask that.
 */
public record Caller(String user, String address, long deadlineNanos, BooleanSupplier gone) {
    /** One who stays. */
    public Caller(String user, String address, long deadlineNanos) {
        this(user, address, deadlineNanos, () -> false);
    }

    /** The address without the port: the machine that asks. */
    public String host() {
        int port = address.lastIndexOf(':');
        return port < 0 ? address : address.substring(0, port);
    }

    /** Whether that is its {@link #host}, of which no text is made. */
    public boolean isFrom(String host) {
        return address.startsWith(host)
                && (address.length() == host.length() || address.lastIndexOf(':') == host.length());
    }

    /** UNAVAILABLE, and nothing applied, once nobody waits for the answer: work for it is not begun, or ends. */
    public void checkWaits(long nowNanos) throws UnavailableException {
        if (nowNanos - deadlineNanos > 0) {
            throw new UnavailableException("the request came past its deadline here", Outcome.NOT_APPLIED);
        }
        if (gone.getAsBoolean()) {
            throw new UnavailableException(address + ": whoever asked is gone", Outcome.NOT_APPLIED);
        }
    }

    /** With that, why work for it is not begun; empty while it waits. */
    public Optional<UnavailableException> whyOver(long nowNanos) {
        try {
            checkWaits(nowNanos);
            return Optional.empty();
        } catch (UnavailableException over) {
            return Optional.of(over);
        }
    }
}
