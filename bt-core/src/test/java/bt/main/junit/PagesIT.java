package bt.main.junit;

import static org.junit.jupiter.api.Assertions.assertEquals;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Table;
import bt.model.RowMutation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

// docs/guide/testing.md shows what follows, to the letter.
@ExtendWith(MiniBigtableExtension.class)
class PagesIT {
    @Test
    void whatWasWrittenIsRead(TestTables tables) throws BigtableException {
        Table table = tables.create("contents", "anchor");
        table.apply(
                RowMutation.of("com.cnn.www").set("anchor", "cnnsi.com", "CNN").build());
        assertEquals(
                1, table.read(Bytes.utf8("com.cnn.www")).orElseThrow().cells().size());
    }
}
