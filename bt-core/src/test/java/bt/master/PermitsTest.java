package bt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.coord.Lock;
import bt.coord.Paths;
import bt.metadata.ClusterAccess;
import bt.metadata.Schemas;
import bt.model.AccessList;
import bt.model.GcRule;
import bt.model.Right;
import bt.model.TableAccess;
import bt.model.TableSchema;
import bt.record.ChangeAccess;
import bt.record.DropTable;
import bt.record.TableRecord;
import bt.record.UndeleteTable;
import bt.testing.CountedLocks;
import bt.testing.MemoryCluster;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In a cluster of the user bt, which ada administers, with a table that alice does. */
class PermitsTest {
    private static final AccessList ADA = AccessList.NOBODY.grant("ada", Set.of(Right.ADMIN));
    private static final SpecificRecord DROP = new DropTable("hers", 7L);

    private final MemoryCluster cluster = new MemoryCluster();
    private final CountedLocks locks = new CountedLocks(cluster.locks);
    private final Permits permits = new Permits(locks, new Catalogue(locks), "bt");

    PermitsTest() throws Exception {
        new ClusterAccess(Optional.empty(), ClusterAccess.NO_FILE).replace(ADA, locks);
        TableSchema hers = TableSchema.draft("hers")
                .family("f", GcRule.KEEP_ALL)
                .build()
                .with(Optional.of(
                        new TableAccess(AccessList.NOBODY.grant("alice", Set.of(Right.ADMIN)), new TreeMap<>())));
        TableRecord table = Schemas.encode(hers);
        table.setId(7);
        try (Lock reign = locks.tryLock(Paths.MASTER_LOCK, Bytes.EMPTY).orElseThrow()) {
            new Catalogue(locks).add(table, reign);
        }
    }

    @AfterEach
    void close() {
        cluster.close();
    }

    private void assertRefused(String user, SpecificRecord message) {
        assertThatThrownBy(() -> permits.admit(user, message))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("has not the right");
    }

    /** A turn of the master's loop may have hundreds of them. */
    @Test
    void whoIsRefusedAgainAndAgainInATurnCostsNoMoreThanOnce() {
        assertRefused("bob", DROP);
        assertRefused("bob", new DropTable("none", 8L));
        assertThatCode(() -> permits.admit("bob", new UndeleteTable("hers", 0L)))
                .as("there is none to come back")
                .doesNotThrowAnyException();
        long before = locks.questions();
        for (int i = 0; i < 100; i++) {
            assertRefused("bob", DROP);
            assertRefused("carol", new DropTable("none", 8L));
            assertThatCode(() -> permits.admit("bob", new UndeleteTable("hers", 0L)))
                    .doesNotThrowAnyException();
        }
        assertThat(locks.questions()).isEqualTo(before);
        permits.begin();
        assertRefused("bob", DROP);
        assertThat(locks.questions()).isGreaterThan(before);
    }

    @Test
    void whatATurnHasChangedCountsFromThenOn() throws Exception {
        assertRefused("bob", DROP);
        AccessList more = ADA.grant("bob", Set.of(Right.ADMIN));
        permits.change(
                new ChangeAccess(
                        ClusterAccess.encode(more), ClusterAccess.read(locks).version()),
                "ada");
        permits.begin();
        assertThat(permits.admit("bob", DROP)).isEqualTo(DROP);
        assertThat(permits.admit("alice", DROP)).isEqualTo(DROP);
    }
}
