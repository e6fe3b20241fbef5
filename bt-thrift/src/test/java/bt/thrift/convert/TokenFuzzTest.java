package bt.thrift.convert;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.RejectedException;
import bt.client.CellPosition;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.nio.ByteBuffer;
import java.util.Optional;

/** Tokens go out and come back from whoever has them: any bytes are one of ours, or REJECTED. */
class TokenFuzzTest {
    @FuzzTest
    void anyBytesAsAResumeToken(byte[] bytes) throws RejectedException {
        Optional<ResumeToken> token;
        try {
            token = ResumeToken.of(ByteBuffer.wrap(bytes));
        } catch (RejectedException foreign) {
            return;
        }
        assertThat(token.isPresent()).isEqualTo(bytes.length > 0);
        if (token.isPresent()) {
            assertThat(ResumeToken.of(token.get().encode())).isEqualTo(token);
        }
    }

    @FuzzTest
    void anyBytesAsACellToken(byte[] bytes) throws RejectedException {
        Optional<CellPosition> position;
        try {
            position = CellToken.of(ByteBuffer.wrap(bytes));
        } catch (RejectedException foreign) {
            return;
        }
        assertThat(position.isPresent()).isEqualTo(bytes.length > 0);
        if (position.isPresent()) {
            assertThat(CellToken.of(CellToken.encode(position.get()))).isEqualTo(position);
        }
    }
}
