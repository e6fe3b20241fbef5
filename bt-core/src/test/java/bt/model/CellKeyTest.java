package bt.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.model.CellKey.Kind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class CellKeyTest {
    private static final Bytes ROW = Bytes.parse("a\\x00b");
    private static final CellKey PUT = new CellKey(ROW, 7, Optional.of(Bytes.utf8("q")), 1, 5, Kind.PUT);
    private static final CellKey DELETE_ROW =
            new CellKey(ROW, CellKey.ROW_LEVEL, Optional.empty(), CellKey.NO_TIMESTAMP, 6, Kind.DELETE_ROW);

    @Test
    void theExamplesOfTheFormatPageAreTrue() throws IOException {
        List<Bytes> examples = examples();

        assertThat(examples).containsExactly(PUT.encode(), DELETE_ROW.encode());
        assertThat(CellKey.decode(examples.get(0))).isEqualTo(PUT);
        assertThat(CellKey.decode(examples.get(1))).isEqualTo(DELETE_ROW);
        assertThat(DELETE_ROW.encode()).isLessThan(PUT.encode());
    }

    @Test
    void numbersOfKindsNeverChange() {
        assertThat(Kind.values())
                .extracting(Kind::number, Kind::name)
                .map(Object::toString)
                .containsExactly(
                        "(1, \"PUT\")",
                        "(2, \"DELETE_ROW\")",
                        "(3, \"DELETE_FAMILY\")",
                        "(4, \"DELETE_COLUMN\")",
                        "(5, \"DELETE_VERSIONS\")",
                        "(6, \"DELETE_VERSION\")",
                        "(7, \"GHOST\")",
                        "(8, \"MERGE\")",
                        "(9, \"PUT_WITH_ATTRIBUTES\")");
    }

    @Test
    void aKindThatIsReservedIsRefused() {
        byte[] key = PUT.encode().toArray();
        key[key.length - 1] = 10;

        assertThatThrownBy(() -> CellKey.decode(Bytes.wrap(key)))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("kind 10 is not known");
    }

    @Test
    void everyTruncationIsRefused() {
        Bytes key = PUT.encode();
        for (int length = 0; length < key.length(); length++) {
            Bytes cut = key.slice(0, length);
            assertThatThrownBy(() -> CellKey.decode(cut))
                    .as("first %d bytes", length)
                    .isInstanceOf(CorruptionException.class);
        }
    }

    @Test
    void aKindAtTheWrongLevelCannotBeMade() {
        assertThatThrownBy(() -> new CellKey(ROW, 7, Optional.empty(), 1, 1, Kind.PUT))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new CellKey(ROW, 7, Optional.of(Bytes.EMPTY), 1, 1, Kind.DELETE_FAMILY))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void sequencesAbove2To62AreRefused() {
        assertThatThrownBy(() -> new CellKey(ROW, 7, Optional.of(Bytes.EMPTY), 1, CellKey.MAX_SEQUENCE + 1, Kind.PUT))
                .hasMessageContaining("2^62");
    }

    private static List<Bytes> examples() throws IOException {
        String page = Files.readString(Path.of("../docs/formats/cell-key.md"));
        Matcher block = Pattern.compile("```cell-key\n(.*?)```", Pattern.DOTALL).matcher(page);
        List<Bytes> keys = new ArrayList<>();
        while (block.find()) {
            StringBuilder digits = new StringBuilder();
            for (String line : block.group(1).split("\n", -1)) {
                digits.append(line.split("   ", 2)[0].replace(" ", ""));
            }
            keys.add(Bytes.hex(digits.toString()));
        }
        return keys;
    }
}
