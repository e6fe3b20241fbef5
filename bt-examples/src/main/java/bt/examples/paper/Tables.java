package bt.examples.paper;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.connect.Connect;
import bt.model.Bloom;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.TableSchema;
import bt.model.TableSchema.Durability;
import java.util.ArrayList;
import java.util.List;

/** The tables that are worked at: rows in so many equal tablets, blocks of 64 KB, no compression. One thread. */
final class Tables implements AutoCloseable {
    private static final int BLOCK_BYTES = 64 << 10;

    private final Bigtable bigtable;
    private final Durability durability;
    private final int tablets;

    Tables(String cluster, Durability durability, int tablets) throws BigtableException {
        this.bigtable = Connect.to(cluster);
        this.durability = durability;
        this.tablets = tablets;
    }

    /** An empty one, in place of whatever is there by that name. */
    void create(String name, long rows, boolean inMemory) throws BigtableException {
        drop(name);
        List<Bytes> splits = new ArrayList<>();
        for (int i = 1; i < tablets; i++) {
            splits.add(Rows.key(rows * i / tablets));
        }
        LocalityGroup group = new LocalityGroup(LocalityGroup.DEFAULT_NAME, BLOCK_BYTES, "none", inMemory, Bloom.ROW);
        TableSchema draft = TableSchema.draft(name)
                .group(group)
                .family(Rows.FAMILY, new GcRule.MaxVersions(1))
                .durability(durability)
                .build();
        bigtable.admin().createTable(draft, splits);
    }

    void flush(String name) throws BigtableException {
        bigtable.admin().flush(name);
    }

    void drop(String name) throws BigtableException {
        if (bigtable.admin().tables().stream().anyMatch(table -> table.name().equals(name))) {
            bigtable.admin().dropTable(name);
        }
    }

    @Override
    public void close() {
        bigtable.close();
    }
}
