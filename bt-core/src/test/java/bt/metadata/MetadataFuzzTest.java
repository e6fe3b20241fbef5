package bt.metadata;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.coord.SmallFile;
import bt.model.CellKey;
import bt.record.TabletState;
import com.code_intelligence.jazzer.junit.FuzzTest;

/** What the lock service and METADATA's rows hold: any bytes are what they should be, or CORRUPTION. */
class MetadataFuzzTest {
    @FuzzTest
    void anyBytesAsTheRootRow(byte[] bytes) {
        try {
            RootRows.decode(new SmallFile(Bytes.wrap(bytes), 1, 1, 1));
        } catch (CorruptionException damaged) {
            // One of the two things that may happen.
        }
    }

    @FuzzTest
    void anyBytesAsTheStateOfATablet(byte[] bytes) {
        try {
            MetadataRowCodec.record("fuzz", Bytes.wrap(bytes), TabletState.class);
        } catch (CorruptionException damaged) {
            // One of the two things that may happen.
        }
    }

    @FuzzTest
    void anyBytesAsTheFileOfATable(byte[] bytes) {
        try {
            TableFile.decode("fuzz", Bytes.wrap(bytes));
        } catch (CorruptionException damaged) {
            // One of the two things that may happen.
        }
    }

    @FuzzTest
    void anyBytesAsTheKeyOfARow(byte[] bytes) {
        try {
            MetadataKeys.decode(Bytes.wrap(bytes));
        } catch (CorruptionException damaged) {
            // One of the two things that may happen.
        }
    }

    @FuzzTest
    void anyBytesAsTheKeyOfACell(byte[] bytes) {
        try {
            CellKey.decode(Bytes.wrap(bytes));
        } catch (CorruptionException damaged) {
            // One of the two things that may happen.
        }
    }
}
