package bt.mapreduce.input;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.model.RowRange;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class RowProgressTest {
    private static final Offset<Float> NEARLY = Offset.offset(0.01f);

    @Test
    void isTheShareOfTheKeysBetweenTheEnds() {
        RowProgress progress = new RowProgress(RowRange.of(Bytes.utf8("com.example/a"), Bytes.utf8("com.example/c")));
        assertThat(progress.of(Bytes.utf8("com.example/a"))).isZero();
        assertThat(progress.of(Bytes.utf8("com.example/b"))).isCloseTo(0.5f, NEARLY);
        assertThat(progress.of(Bytes.utf8("com.example/bzzz"))).isCloseTo(0.74f, NEARLY);
    }

    @Test
    void ofTheWholeTableGoesFromNoughtToOne() {
        RowProgress progress = new RowProgress(RowRange.ALL);
        assertThat(progress.of(Bytes.hex("00"))).isZero();
        assertThat(progress.of(Bytes.hex("80"))).isCloseTo(0.5f, NEARLY);
        assertThat(progress.of(Bytes.hex("ffffffffffffffffff"))).isCloseTo(1, NEARLY);
    }

    @Test
    void ofARangeOfOneRowIsANumberToo() {
        Bytes row = Bytes.utf8("a");
        assertThat(new RowProgress(RowRange.row(row)).of(row)).isZero();
    }
}
