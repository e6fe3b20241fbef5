package bt.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.Input;
import com.code_intelligence.jazzer.junit.FuzzTest;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;

/** Any stream of bytes is frames and then CORRUPTION, in whatever pieces it comes; any body is a handshake or refused. */
class FrameFuzzTest {
    private static final FrameDecoder.Gate OPEN = new FrameDecoder.Gate() {
        @Override
        public int maxBodyBytes() {
            return 1 << 20;
        }

        @Override
        public boolean admits(int frameBytes) {
            return frameBytes < 1 << 16;
        }

        @Override
        public int roomAtOnce() {
            return 100;
        }
    };

    @FuzzTest
    void anyBytesAsAStream(byte[] bytes) {
        assertThat(read(bytes, bytes.length)).isEqualTo(read(bytes, 7));
    }

    /** How many frames there are before the first byte that is wrong. */
    private static int read(byte[] bytes, int piece) {
        EmbeddedChannel channel = new EmbeddedChannel(new FrameDecoder(OPEN));
        for (int at = 0; at < bytes.length; at += piece) {
            int length = Math.min(piece, bytes.length - at);
            channel.pipeline().fireChannelRead(Unpooled.copiedBuffer(bytes, at, length));
        }
        try {
            channel.checkException();
        } catch (Exception damage) {
            assertThat(damage).isInstanceOf(CorruptionException.class);
        }
        int frames = channel.inboundMessages().size();
        boolean unused = channel.finishAndReleaseAll();
        return frames;
    }

    @FuzzTest
    void anyBytesAsAHandshake(byte[] bytes) {
        try {
            assertThat(Hello.decode(new Input("fuzz", 0, bytes, 0, bytes.length))
                            .user())
                    .isNotEmpty();
        } catch (BigtableException refused) {
            assertThat(refused.kind()).isIn(BigtableException.Kind.CORRUPTION, BigtableException.Kind.REJECTED);
        }
    }

    @FuzzTest
    void anyBytesAsAWelcome(byte[] bytes) {
        try {
            assertThat(Welcome.decode(new Input("fuzz", 0, bytes, 0, bytes.length))
                            .version())
                    .isEqualTo(Hello.VERSION);
        } catch (CorruptionException damaged) {
            // One of the two things that may happen.
        }
    }
}
