package bt.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException.Kind;
import bt.base.BigtableException.Outcome;
import bt.model.ColumnKey;
import bt.model.FilterText;
import bt.model.TableSchema;
import org.junit.jupiter.api.Test;

class MessagesTest {
    private static final String RED = "\u001b[31mred";

    @Test
    void linesAreOneAndWhatCannotBePrintedIsNamed() {
        assertThat(Messages.oneLine(" one\r\n  two\u2028three \n")).isEqualTo("one; two; three");
        assertThat(Messages.oneLine(RED + "\u0000\t\u007f\u009b\u202e\ud800"))
                .isEqualTo("\\x1b[31mred\\x00\\x09\\x7f\\xc2\\x9b\\xe2\\x80\\xae?");
        assertThat(Messages.oneLine("é 漢 … \\x00")).isEqualTo("é 漢 … \\x00");
        assertThat(Messages.oneLine("\u0085\u2003g\u0085 \u2028\u2003")).isEqualTo("g");
        assertThat(Messages.oneLine(null)).isEqualTo("null");
    }

    /** A message goes through here at the server and again at the client. */
    @Test
    void whatIsOneLineStaysAsItIs() {
        for (char c = 0; c < Character.MAX_VALUE; c++) {
            String line = Messages.oneLine(c + " a" + c + "\u0085" + c + "b " + c);
            assertThat(Messages.oneLine(line)).isEqualTo(line);
        }
    }

    @Test
    void aNameIsPrintedAsItsBytesAndOfALongOneTheBeginning() {
        assertThat(Messages.name("a\nb\\é")).isEqualTo("a\\x0ab\\\\\\xc3\\xa9");
        assertThat(Messages.name("n".repeat(1_000_000))).isEqualTo("n".repeat(140) + "…");
    }

    @Test
    void everyFailureSaysOneLineThatCanBePrinted() {
        for (Kind kind : Kind.values()) {
            assertThat(BigtableException.of(kind, "table " + RED + "\nand", Outcome.UNKNOWN, 0))
                    .hasMessage("table \\x1b[31mred; and");
        }
        assertThatThrownBy(() -> Check.checkArgument(false, "%s", RED)).hasMessage("\\x1b[31mred");
        assertThatThrownBy(() -> FilterText.parse("label('" + RED + "')")).hasMessageContaining("\"\\x1b[31mred\"");
        assertThatThrownBy(() -> FilterText.parse(RED)).hasMessageContaining("'\\x1b'");
        assertThatThrownBy(() -> TableSchema.draft("a\nb").build()).hasMessageContaining("name \"a\\x0ab\"");
        assertThatThrownBy(() -> ColumnKey.parse(RED)).hasMessageContaining("\"\\x1b[31mred\"");
        assertThat(ColumnKey.of("a\nb", "q")).hasToString("a\\x0ab:q");
    }
}
