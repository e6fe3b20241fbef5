package bt.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.testing.SeededTest;
import java.nio.ByteBuffer;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class OutputTest {
    @SeededTest(runs = 50)
    void whatIsLentComesOutWhereItWouldHaveBeenCopiedTo(RandomGenerator random) {
        Output copying = new Output();
        Output borrowing = Output.borrowing(1);
        for (int i = random.nextInt(100); i > 0; i--) {
            Bytes bytes = bytes(random);
            copying.u8(i).lend(bytes).bytes(bytes);
            borrowing.u8(i).lend(bytes).bytes(bytes);
        }

        ByteBuffer written = ByteBuffer.allocateDirect(borrowing.total());
        int crc = borrowing.writeTo(written);

        byte[] read = new byte[borrowing.total()];
        written.flip().get(read);
        assertThat(Bytes.wrap(read)).isEqualTo(copying.toBytes());
        assertThat(crc).isEqualTo(Crc32c.of(read, 0, read.length));
        assertThat(copying.total()).isEqualTo(copying.size());
    }

    @Test
    void longBytesAreNotCopiedBeforeTheyAreWritten() {
        Bytes large = Bytes.wrap(new byte[1 << 20]);
        Output out = Output.borrowing(16);

        out.lend(large);

        assertThat(out.array().length).isLessThan(100);
        assertThat(out.total()).isGreaterThan(1 << 20);
        assertThatThrownBy(out::toArray).hasMessage("what is lent is in no array");
    }

    private static Bytes bytes(RandomGenerator random) {
        byte[] bytes = new byte[random.nextInt(1_100)];
        random.nextBytes(bytes);
        return Bytes.wrap(bytes).slice(bytes.length / 10, bytes.length);
    }
}
