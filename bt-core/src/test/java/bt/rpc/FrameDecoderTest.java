package bt.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.CorruptionException;
import bt.base.Output;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A frame that there is no room for. */
class FrameDecoderTest {
    private static final long ID = 7;
    private static final int PIECE = 50;

    private final EmbeddedChannel channel = new EmbeddedChannel(new FrameDecoder(new FrameDecoder.Gate() {
        @Override
        public int maxBodyBytes() {
            return 1 << 20;
        }

        @Override
        public boolean admits(int frameBytes) {
            return false;
        }

        @Override
        public int roomAtOnce() {
            return 100;
        }
    }));

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 200})
    void isToldByItsIdWithoutABody(int bodyBytes) {
        write(frame(bodyBytes));
        write(frame(bodyBytes));
        assertThat(channel.inboundMessages())
                .containsExactly(new FrameDecoder.Refused(ID), new FrameDecoder.Refused(ID));
    }

    /** Another call, which is under way, would be told that it was not applied. */
    @ParameterizedTest
    @ValueSource(ints = {8, Frame.HEADER_BYTES + 90})
    void isToldToNobodyWhereABitOfItsIdOrBodyIsWrong(int flipped) {
        byte[] frame = frame(200);
        frame[flipped] ^= 1;
        write(frame);
        assertThatThrownBy(channel::checkException)
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("REQUEST frame of " + frame.length + " bytes: crc");
        assertThat(channel.inboundMessages()).isEmpty();
    }

    private void write(byte[] frame) {
        for (int at = 0; at < frame.length; at += PIECE) {
            channel.pipeline().fireChannelRead(Unpooled.copiedBuffer(frame, at, Math.min(PIECE, frame.length - at)));
        }
    }

    private static byte[] frame(int bodyBytes) {
        Output out = Frame.begin(Frame.Kind.REQUEST, ID, 5_000);
        for (int i = 0; i < bodyBytes; i++) {
            out.u8(i & 0xff);
        }
        return ByteBufUtil.getBytes(Frame.finish(out));
    }
}
