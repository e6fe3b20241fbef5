package bt.main.junit;

import bt.base.BigtableException;
import bt.client.Bigtable;
import bt.client.Table;
import bt.model.GcRule;
import bt.model.TableSchema;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;

/**
 * Tables that one test, or one class of tests, has for itself: of names that no other has, dropped when it ends. Any
 * thread. Fails as {@link bt.client.Admin#createTable(bt.model.TableSchema)} and {@link Bigtable#table} do: UNAVAILABLE where the cluster
 * does not answer, REJECTED for a schema that cannot be.
 */
public final class TestTables implements AutoCloseable {
    /** Of this JVM, and so of its cluster. */
    private static final AtomicLong CREATED = new AtomicLong();

    private final Bigtable bigtable;
    private final Set<String> names = ConcurrentHashMap.newKeySet();

    TestTables(Bigtable bigtable) {
        this.bigtable = bigtable;
    }

    /** Creates a table with these families, which keep every version. */
    public Table create(String... families) throws BigtableException {
        return create(draft -> {
            for (String family : families) {
                draft.family(family, GcRule.KEEP_ALL);
            }
            return draft;
        });
    }

    /** Creates a table of what is added to an empty draft, as in {@code draft -> draft.family("f", rule)}. */
    public Table create(UnaryOperator<TableSchema.Builder> schema) throws BigtableException {
        String name = "test-" + CREATED.incrementAndGet();
        // Before it is there: a creation whose outcome is unknown leaves a table too.
        names.add(name);
        bigtable.admin().createTable(schema.apply(TableSchema.draft(name)).build(), List.of());
        return bigtable.table(name);
    }

    /** Drops those that the test has not dropped itself. */
    @Override
    public void close() throws BigtableException {
        for (TableSchema table : bigtable.admin().tables()) {
            if (names.contains(table.name())) {
                bigtable.admin().dropTable(table.name());
            }
        }
    }
}
