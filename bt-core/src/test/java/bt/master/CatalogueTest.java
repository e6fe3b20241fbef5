package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.coord.Paths;
import bt.metadata.Schemas;
import bt.metadata.TableFile;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.record.TablePhase;
import bt.record.TableRecord;
import bt.testing.MemoryLocks;
import org.junit.jupiter.api.Test;

class CatalogueTest {
    private static final TableRecord TABLE = TableRecord.newBuilder(Schemas.encode(
                    TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build()))
            .setId(4)
            .setVersion(1)
            .build();

    private final MemoryLocks locks = new MemoryLocks();
    private final Catalogue catalogue = new Catalogue(locks);

    /** Only the master changes them; so that nobody was asked shows where somebody else has. */
    @Test
    void aTableThatWasLookedAtIsKnownWithoutBeingReadAgain() throws Exception {
        locks.create(Paths.table(4), TableFile.encode(TABLE));
        assertThat(catalogue.known(4)).as("read: nobody has looked at all").contains(TABLE);
        assertThat(catalogue.readable().tables()).containsKey(4L);
        locks.delete(Paths.table(4));
        assertThat(catalogue.known(4)).contains(TABLE);
        assertThat(catalogue.table(4)).isEmpty();
        assertThat(catalogue.known(5)).isEmpty();
    }

    @Test
    void aTableThatWasChangedIsKnownAsItIsNow() throws Exception {
        locks.create(Paths.table(4), TableFile.encode(TABLE));
        assertThat(catalogue.readable().tables()).containsKey(4L);
        TableRecord dropped = catalogue.change(4, now -> TableRecord.newBuilder(now)
                .setVersion(2)
                .setPhase(TablePhase.DROPPED)
                .build());
        assertThat(catalogue.known(4)).contains(dropped);
    }
}
