package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.model.ColumnKey;
import bt.model.RowMutation;
import bt.protocol.Caller;
import bt.protocol.Write;
import bt.protocol.WriteId;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class QueueRoomTest {
    private static final int VALUE_BYTES = 1_000;

    /** By count there is an end before there is by bytes. */
    private final QueueRoom room = new QueueRoom(900, 1_000_000_000);

    private static List<WriteEntry> writes(String host, int count, int valueBytes) {
        RowMutation mutation = RowMutation.of(Bytes.utf8("row"))
                .set(ColumnKey.of("f", "q"), Bytes.wrap(new byte[valueBytes]))
                .build();
        Write write = new Write(mutation, new WriteId(1, 1, 1), Optional.empty());
        return Collections.nCopies(
                count, WriteEntry.of(new Caller("test", host + ":" + (40_000 + count), 0), 4, write, result -> {}));
    }

    private int enter(String host, int count) {
        return room.enter(writes(host, count, VALUE_BYTES));
    }

    @Test
    void eachMayHaveAsMuchAsThereIsLeft() {
        assertThat(enter("a", 10_000)).isEqualTo(450);
        assertThat(enter("a", 1)).isZero();
        assertThat(enter("b", 10_000)).isEqualTo(225);
        assertThat(enter("c", 10_000)).isEqualTo(113);
        assertThat(enter("modest", 1)).isEqualTo(1);
        assertThat(enter("a", 1)).isZero();
    }

    @Test
    void whoLeavesMakesRoom() {
        assertThat(enter("a", 10_000)).isEqualTo(450);
        assertThat(enter("b", 100)).isEqualTo(100);
        room.leave(writes("a", 450, VALUE_BYTES));
        assertThat(enter("b", 10_000)).isEqualTo(350);
        room.leave(writes("b", 450, VALUE_BYTES));
        assertThat(enter("a", 10_000)).isEqualTo(450);
    }

    @Test
    void bytesAreCountedLikeWrites() {
        QueueRoom narrow = new QueueRoom(1_000_000, 10_000_000);
        int half = narrow.enter(writes("a", 100, 1_000_000));
        assertThat(half).isEqualTo(5);
        assertThat(narrow.enter(writes("b", 100, 1_000_000))).isEqualTo(3);
        narrow.leave(writes("a", 5, 1_000_000));
        narrow.leave(writes("b", 3, 1_000_000));
        assertThat(narrow.enter(writes("c", 2, 20_000_000))).isEqualTo(1);
        // Of whom nothing waits a write is taken, however much others have.
        assertThat(narrow.enter(writes("modest", 2, 10))).isEqualTo(1);
    }

    /** An append of one byte may be 64 MB here: of 20 hosts that would be more than a gigabyte. */
    @Test
    void ofManyHostsWithOneLargeWriteEachNotAllEnter() {
        QueueRoom real = new QueueRoom(20_000, 64L << 20);
        int entered = 0;
        for (int host = 0; host < 20; host++) {
            entered += real.enter(writes("host" + host, 2, (64 << 20) - 1_000));
        }
        assertThat(entered).isEqualTo(5);
        real.leave(writes("host0", 1, (64 << 20) - 1_000));
        real.leave(writes("host1", 1, (64 << 20) - 1_000));
        assertThat(real.enter(writes("host7", 2, 10))).isEqualTo(1);
    }

    @Test
    void ofNoneNoneEnter() {
        assertThat(room.enter(List.of())).isZero();
        room.leave(List.of());
    }
}
