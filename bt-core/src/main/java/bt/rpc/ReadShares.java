package bt.rpc;

import bt.base.Clock;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.ChannelConfig;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.util.UncheckedBooleanSupplier;

/**
 * How much of a connection is read in one turn of its event loop: about as much as takes {@value #SHARE_NANOS} ns to be worked off, as
 * what came before it tells. What is left is read when the other connections have had their turn. By bytes alone a turn would be a
 * megabyte of each, and some hundred connections on which very small requests come without a pause would keep a loop from everybody
 * else's, and from all that it is asked to do, for many seconds.
 */
final class ReadShares implements RecvByteBufAllocator {
    private static final long SHARE_NANOS = 250_000;

    /** As of a channel of TCP without this. */
    private static final int MOST_READS = 16;

    /** Some fifty of the smallest requests. */
    private static final int LEAST_BYTES = 2 << 10;

    private static final int FIRST_BYTES = 4 << 10;

    /** Of what was cheap until now: the smallest requests may come behind it. */
    private static final int MOST_BYTES = 32 << 10;

    private final Clock clock;
    private final AdaptiveRecvByteBufAllocator sizes = new AdaptiveRecvByteBufAllocator();

    ReadShares(Clock clock) {
        this.clock = clock;
        sizes.maxMessagesPerRead(MOST_READS);
    }

    @Override
    @SuppressWarnings("deprecation")
    public Handle newHandle() {
        return new Share(clock, (ExtendedHandle) sizes.newHandle());
    }

    /** Of one connection; its event loop owns it. */
    private static final class Share extends DelegatingHandle implements ExtendedHandle {
        private final Clock clock;
        private final ExtendedHandle sizes;
        private int most = FIRST_BYTES;
        private long begunNanos;
        private long readNanos;

        Share(Clock clock, ExtendedHandle sizes) {
            super(sizes);
            this.clock = clock;
            this.sizes = sizes;
        }

        @Override
        public int guess() {
            return Math.min(most, sizes.guess());
        }

        @Override
        public ByteBuf allocate(ByteBufAllocator allocator) {
            return allocator.ioBuffer(guess());
        }

        @Override
        public void reset(ChannelConfig config) {
            begunNanos = clock.nanos();
            readNanos = begunNanos;
            sizes.reset(config);
        }

        @Override
        public boolean continueReading() {
            return hasTimeLeft() && sizes.continueReading();
        }

        @Override
        public boolean continueReading(UncheckedBooleanSupplier mayBeMore) {
            return hasTimeLeft() && sizes.continueReading(mayBeMore);
        }

        /** What was read last is worked off now. */
        private boolean hasTimeLeft() {
            long now = clock.nanos();
            long took = now - readNanos;
            readNanos = now;
            if (took > SHARE_NANOS) {
                most = Math.max(LEAST_BYTES, most / 2);
            } else if (took < SHARE_NANOS / 4 && lastBytesRead() == attemptedBytesRead()) {
                most = Math.min(MOST_BYTES, most * 2);
            }
            return now - begunNanos < SHARE_NANOS;
        }
    }
}
