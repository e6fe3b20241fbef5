package bt.main.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.Bigtable;
import bt.client.Table;
import bt.connect.Connect;
import bt.main.MiniBigtable;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.testing.Yardstick;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The tests of an application, whose classes run at once, in the JVM of this program: what it leaves there is an error. */
final class ApplicationRun {
    private static final int TESTS = 8;

    private static final Set<MiniBigtable> CLUSTERS = ConcurrentHashMap.newKeySet();
    private static final AtomicLong FIRST_NANOS = new AtomicLong();
    private static final AtomicLong FIRST_PROCESSOR_MILLIS = new AtomicLong();

    /**
     * With JUnit, until the first test begins, in so many times what a {@link Yardstick} takes: 1.3 to 1.7 while ten wanted each core. In seconds it is
     * twice as much on one day as on another, with nothing beside it.
     */
    private static final double MOST_YARDSTICKS = 2.2;

    private ApplicationRun() {}

    public static void main(String[] args) {
        double yardstickMillis = Double.parseDouble(args[0]);
        Set<Thread> before = threads();
        SummaryGeneratingListener listener = new SummaryGeneratingListener();
        long began = System.nanoTime();
        LauncherFactory.create().execute(request(), listener);
        TestExecutionSummary summary = listener.getSummary();
        summary.printFailuresTo(new PrintWriter(System.out, true, StandardCharsets.UTF_8), 30);
        System.out.printf(
                "a cluster for tests: the first test begins after %.1f s and %d ms of processor time, %.2f yardsticks, %d tests take %.1f s%n",
                (FIRST_NANOS.get() - began) / 1e9,
                FIRST_PROCESSOR_MILLIS.get(),
                FIRST_PROCESSOR_MILLIS.get() / yardstickMillis,
                summary.getTestsSucceededCount(),
                (System.nanoTime() - began) / 1e9);
        assertThat(summary.getTestsSucceededCount()).isEqualTo(TESTS);
        assertThat(summary.getTotalFailureCount()).isZero();
        assertThat(FIRST_PROCESSOR_MILLIS.get()).isPositive();
        assertThat(FIRST_PROCESSOR_MILLIS.get() / yardstickMillis)
                .as("yardsticks of %.0f ms", yardstickMillis)
                .isLessThan(MOST_YARDSTICKS);
        assertThat(CLUSTERS).hasSize(1);
        Awaitility.await().pollInSameThread().atMost(10, TimeUnit.SECONDS).untilAsserted(() -> assertThat(threads())
                .isSubsetOf(before));
        System.out.println("nothing is left");
    }

    private static LauncherDiscoveryRequest request() {
        return LauncherDiscoveryRequestBuilder.request()
                .selectors(selectClass(PagesIT.class), selectClass(OwnTables.class), selectClass(ClassTables.class))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "true")
                .configurationParameter("junit.jupiter.execution.parallel.mode.default", "concurrent")
                .configurationParameter("junit.jupiter.execution.parallel.config.strategy", "fixed")
                .configurationParameter("junit.jupiter.execution.parallel.config.fixed.parallelism", "3")
                .build();
    }

    /** All but those of the JDK's common pool, which every library of the JVM shares. */
    private static Set<Thread> threads() {
        Set<Thread> threads = new HashSet<>(Thread.getAllStackTraces().keySet());
        threads.removeIf(thread -> thread.getName().startsWith("ForkJoinPool.commonPool-"));
        return threads;
    }

    @ExtendWith(MiniBigtableExtension.class)
    static class OwnTables {
        private static final CyclicBarrier TOGETHER = new CyclicBarrier(2);

        @BeforeEach
        void noteTheTime(MiniBigtable cluster) {
            CLUSTERS.add(cluster);
            if (FIRST_NANOS.compareAndSet(0, System.nanoTime())) {
                FIRST_PROCESSOR_MILLIS.set(ProcessHandle.current()
                        .info()
                        .totalCpuDuration()
                        .orElse(Duration.ZERO)
                        .toMillis());
            }
        }

        /** Two at a time, each in the middle of its work. */
        @RepeatedTest(4)
        void testsAtOnceSeeNothingOfEachOther(TestTables tables, MiniBigtable cluster) throws Exception {
            Table table = tables.create(draft -> draft.family("f", new GcRule.MaxVersions(1)));
            TOGETHER.await(60, TimeUnit.SECONDS);
            assertThat(table.read(Bytes.utf8("r"))).isEmpty();
            table.apply(RowMutation.of("r").set("f", "q", "v").build());
            try (Bigtable other = Connect.to(cluster.at())) {
                assertThat(other.table(table.schema().name()).read(Bytes.utf8("r")))
                        .isPresent();
            }
        }
    }

    /** Its tests run one after the other: each looks for what the one before has left. */
    @ExtendWith(MiniBigtableExtension.class)
    @Execution(ExecutionMode.SAME_THREAD)
    static class ClassTables {
        private static final List<String> EARLIER = new ArrayList<>();

        private static String shared = "";

        @BeforeAll
        static void createsTheClasss(TestTables tables) throws Exception {
            shared = tables.create("f").schema().name();
        }

        @AfterEach
        void theClasssIsThere(Bigtable bigtable) throws Exception {
            assertThat(bigtable.table(shared).read(Bytes.utf8("r"))).isEmpty();
        }

        @RepeatedTest(2)
        void whatATestHasMadeIsGoneBeforeTheNext(TestTables tables, Bigtable bigtable) throws Exception {
            for (String name : EARLIER) {
                assertThatThrownBy(() -> bigtable.table(name)).isInstanceOf(RejectedException.class);
            }
            EARLIER.add(tables.create("f").schema().name());
        }

        @Test
        void aTestMayDropItsTableItself(TestTables tables, Bigtable bigtable) throws Exception {
            bigtable.admin().dropTable(tables.create("f").schema().name());
        }
    }
}
