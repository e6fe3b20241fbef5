package bt.examples.paper;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
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

    /** About: rows have some forty bytes beside their value. */
    static final int ROWS_OF_A_BLOCK = BLOCK_BYTES / (Rows.VALUE_BYTES + 40);

    private final Bigtable bigtable;
    private final Durability durability;
    private final int tablets;

    Tables(String cluster, Durability durability, int tablets) throws BigtableException {
        this.bigtable = Connect.to(cluster);
        this.durability = durability;
        this.tablets = tablets;
    }

    /** REJECTED when there is one: it may be somebody's. */
    void checkAbsent(List<String> names) throws BigtableException {
        for (TableSchema table : bigtable.admin().tables()) {
            if (names.contains(table.name())) {
                throw new RejectedException(
                        "table " + table.name()
                                + ": the bench needs the name, and leaves such a table only when it is killed",
                        "if it is nobody's," + " write bt drop " + table.name());
            }
        }
    }

    /** An empty one. */
    void create(String name, long rows, boolean inMemory) throws BigtableException {
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

    /** By its name. */
    long id(String name) throws BigtableException {
        return bigtable.table(name).schema().id();
    }

    /** Until all that it holds is in one file a tablet: nothing is left to be merged while something is measured. */
    void compact(String name) throws BigtableException {
        bigtable.admin().compactTable(name);
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
