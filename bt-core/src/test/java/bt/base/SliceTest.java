package bt.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.testing.SeededTest;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class SliceTest {
    @SeededTest(runs = 200)
    void isOrderedAsItsBytesAre(RandomGenerator random) {
        Bytes a = bytes(random);
        Bytes b = bytes(random);
        Slice left = inAnotherPlace(a, random);
        Slice right = inAnotherPlace(b, random);

        assertThat(Integer.signum(left.compareWith(right))).isEqualTo(Integer.signum(a.compareTo(b)));
        assertThat(Integer.signum(left.compareWith(b))).isEqualTo(Integer.signum(a.compareTo(b)));
        assertThat(left.hasSameBytesAs(right)).isEqualTo(a.equals(b));
        assertThat(left.startsWith(b.toArray(), b.length())).isEqualTo(a.startsWith(b));
        assertThat(left.toBytes()).isEqualTo(a);
    }

    @Test
    void readsNothingBesideIt() {
        Slice slice = new Slice();
        slice.moveTo(new byte[] {9, 0, 0, 0, 0, 0, 0, 1, 2, 9}, 1, 8);

        assertThat(slice.at(7)).isEqualTo((byte) 2);
        assertThat(slice.bigU64(0)).isEqualTo(0x102);
        assertThatThrownBy(() -> slice.at(8)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> slice.bigU64(1)).isInstanceOf(IndexOutOfBoundsException.class);
        assertThatThrownBy(() -> slice.bigU64(-1)).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void aCopyStaysWhenTheWindowMovesOn() {
        byte[] array = {1, 2, 3};
        Slice slice = new Slice();
        slice.moveTo(array, 0, 2);
        Bytes copy = slice.toBytes();

        array[0] = 7;
        slice.moveTo(array, 1, 2);

        assertThat(copy).isEqualTo(Bytes.hex("0102"));
        assertThat(slice.toBytes()).isEqualTo(Bytes.hex("0203"));
    }

    @Test
    void aViewShowsWhereTheBytesLie() {
        byte[] array = new byte[20];
        Slice slice = new Slice();
        slice.moveTo(array, 1, 2);
        Bytes view = slice.toView();

        array[1] = 7;

        assertThat(view).isEqualTo(Bytes.hex("0700"));
    }

    private static Bytes bytes(RandomGenerator random) {
        byte[] bytes = new byte[random.nextInt(4)];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) (random.nextInt(3) - 1);
        }
        return Bytes.wrap(bytes);
    }

    private static Slice inAnotherPlace(Bytes bytes, RandomGenerator random) {
        int from = random.nextInt(5);
        byte[] array = new byte[from + bytes.length() + random.nextInt(5)];
        random.nextBytes(array);
        bytes.copyTo(array, from);
        Slice slice = new Slice();
        slice.moveTo(array, from, bytes.length());
        return slice;
    }
}
