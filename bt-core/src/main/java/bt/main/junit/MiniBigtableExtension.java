package bt.main.junit;

import bt.base.BigtableException;
import bt.client.Bigtable;
import bt.main.MiniBigtable;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests a whole cluster in their JVM: the real servers over a temporary directory, started for the first test that
 * asks, shared by all classes of the run, and gone with its data, its threads and its directory after the last. For
 * JUnit 5.13 and newer, tests at once included:
 *
 * <pre>{@code
 * @ExtendWith(MiniBigtableExtension.class)
 * class CrawlTest {
 *     @Test
 *     void pagesAreFound(TestTables tables) throws BigtableException {
 *         Table table = tables.create("contents", "anchor");
 *         ...
 *     }
 * }
 * }</pre>
 *
 * Besides {@link TestTables}, whose tables are the asker's own, one may ask for the {@link Bigtable} itself and for the
 * {@link MiniBigtable}, which knows its address. What {@code @BeforeAll} or a constructor asks for is the class's, and
 * ends with the class; what a test method asks for ends with the test.
 */
public final class MiniBigtableExtension implements ParameterResolver {
    private static final Namespace NAMESPACE = Namespace.create(MiniBigtableExtension.class);

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        Class<?> type = parameter.getParameter().getType();
        return type == TestTables.class || type == Bigtable.class || type == MiniBigtable.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        MiniBigtable cluster = cluster(context);
        Class<?> type = parameter.getParameter().getType();
        if (type == TestTables.class) {
            return tables(context, cluster);
        }
        return type == Bigtable.class ? cluster.bigtable() : cluster;
    }

    /** The store of the root closes it when the last test has ended. */
    private static MiniBigtable cluster(ExtensionContext context) {
        Store store = context.getRoot().getStore(NAMESPACE);
        return store.getOrComputeIfAbsent(MiniBigtable.class, key -> start(), MiniBigtable.class);
    }

    /** The asker's store closes them. A store is asked for what its parents have too: hence a key of the asker's own. */
    private static TestTables tables(ExtensionContext context, MiniBigtable cluster) {
        Store store = context.getStore(NAMESPACE);
        return store.getOrComputeIfAbsent(
                context.getUniqueId(), key -> new TestTables(cluster.bigtable()), TestTables.class);
    }

    private static MiniBigtable start() {
        try {
            return MiniBigtable.start();
        } catch (BigtableException failed) {
            throw new ParameterResolutionException("no cluster for tests: " + failed.getMessage(), failed);
        }
    }
}
