package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.coord.Paths;
import bt.metadata.Schemas;
import bt.metadata.TableFile;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.record.MergeFile;
import bt.record.ServerFile;
import bt.testing.CountedLocks;
import bt.testing.MemoryCluster;
import bt.testing.MemoryLocks;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** However many tables or servers there are, all of their files are asked for together. */
class ManyFilesTest {
    private static final int MANY = 300;

    private final CountedLocks locks = new CountedLocks(new MemoryLocks());

    @Test
    void aPassAsksTwiceForAllTables() throws Exception {
        tables();
        assertThat(new Catalogue(locks).readable().tables()).hasSize(MANY);
        assertThat(locks.questions()).isEqualTo(2);
    }

    @Test
    void aDamagedFileAmongThemIsNamedAndTheOthersAreRead() throws Exception {
        tables();
        locks.create(Paths.table(MANY + 1), Bytes.utf8("no table"));
        Catalogue.Found found = new Catalogue(locks).readable();
        assertThat(found.tables()).hasSize(MANY);
        assertThat(found.damage()).containsOnlyKeys(Long.toString(MANY + 1));
    }

    @Test
    void aTableIsFoundByItsNameWithTwoQuestions() throws Exception {
        tables();
        Schemas schemas = new Schemas(locks);
        assertThat(schemas.byName("t7")).map(TableSchema::id).contains(7L);
        assertThat(locks.questions()).isEqualTo(2);
        assertThat(schemas.byName("t7")).isPresent();
        assertThat(locks.questions()).as("what is known is read by itself").isEqualTo(3);
    }

    @Test
    void theServersAreFoundWithThreeQuestions() throws Exception {
        for (int i = 1; i <= MANY; i++) {
            Address address = new Address("host-" + i, 1);
            locks.create(Paths.server("s" + i), AvroBytes.encode(new ServerFile(address.toString(), "", "", "", 0L)));
            locks.create(Paths.serverLock("s" + i), Bytes.EMPTY);
        }
        try (MemoryCluster cluster = new MemoryCluster()) {
            Membership membership = new Membership(locks, cluster.scheduler, 1_000, 0, met -> {});
            assertThat(membership.call().living()).hasSize(MANY);
        }
        assertThat(locks.questions()).isEqualTo(3);
    }

    /** As many files as there are tables of which somebody has begun a merge; before it has read them nobody rules. */
    @Test
    void aNewMasterAsksTwiceForWhatAllTablesAreToBe() throws Exception {
        WishFiles merges = new WishFiles(locks, Paths.MERGES, new WishRoom());
        for (int id = 1; id <= MANY; id++) {
            assertThat(merges.write(id, new MergeFile((long) id, "t" + id, List.of())))
                    .isNotNull();
        }
        locks.create(merges.path(MANY + 1), Bytes.utf8("no merge"));
        long before = locks.questions();
        Set<Long> read = new HashSet<>();
        merges.read(MergeFile.class, (merge, file) -> {
            assertThat(merges.path(merge.getTableId()))
                    .endsWith("/" + merge.getTable().substring(1));
            assertThat(file.version()).isZero();
            read.add(merge.getTableId());
        });
        assertThat(read).hasSize(MANY).doesNotContain(MANY + 1L);
        assertThat(locks.questions() - before).isEqualTo(2);
    }

    private void tables() throws BigtableException {
        for (int id = 1; id <= MANY; id++) {
            TableSchema draft =
                    TableSchema.draft("t" + id).family("f", GcRule.KEEP_ALL).build();
            TableSchema table = new TableSchema(
                    id, draft.name(), 1, draft.nextFamilyId(), draft.durability(), draft.families(), draft.groups());
            locks.create(Paths.table(id), TableFile.encode(Schemas.encode(table)));
        }
    }
}
