package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.coord.Paths;
import bt.metadata.Schemas;
import bt.metadata.TableFile;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.testing.CountedLocks;
import bt.testing.MemoryLocks;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SchemaWatchTest {
    private static final int MANY = 600;
    private static final long DAMAGED = 301;
    private static final long ABSENT = 302;

    private final SimScheduler scheduler = new SimScheduler(1);
    private final CountedLocks locks = new CountedLocks(new MemoryLocks());
    private final TabletSet tablets = new TabletSet();
    private final SchemaWatch watch = new SchemaWatch(scheduler, locks, tablets);

    /** What each was answered. */
    private final Map<Long, String> names = new TreeMap<>();

    /** A server asks so when it loads many tablets, and when its session was interrupted. */
    @Test
    void manyTablesAreLookedAtTogetherAndEachIsAnsweredForItself() throws Exception {
        for (long id = 1; id <= MANY; id++) {
            if (id != ABSENT) {
                locks.create(Paths.table(id), id == DAMAGED ? Bytes.utf8("no table") : file(id));
            }
        }
        scheduler.run(Duration.ofMinutes(1), () -> {
            for (long id = 1; id <= MANY; id++) {
                long table = id;
                scheduler.start("load-" + id, () -> names.put(table, asked(table)));
            }
            scheduler.pause(10);
            scheduler.start("schemas", watch::run);
            scheduler.pause(100);
        });
        assertThat(locks.questions()).isEqualTo(3);
        assertThat(names).hasSize(MANY);
        names.forEach((id, name) -> assertThat(name).isEqualTo(expected(id)));
    }

    /** Anybody may ask so, of any table, on event loops: to look at each of the tablets here takes ten seconds and more. */
    @Test
    void ofATableThatIsNotHereNothingIsLookedUpHoweverManyTabletsAre() throws Exception {
        TabletSet.Failure failure = new TabletSet.Failure("no file", true);
        tablets.put(IntStream.range(0, 100_000)
                .mapToObj(i -> new TabletId(7, Optional.of(Bytes.utf8("r" + i))))
                .map(id -> TabletSet.Holding.failed(id, failure))
                .toList());
        long begun = System.nanoTime();
        for (int i = 0; i < 5_000; i++) {
            assertThat(watch.learn(6)).isCompleted();
            assertThat(watch.learn(8)).isCompleted();
        }
        assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(3));
        assertThat(locks.questions()).isZero();
        assertThat(watch.learn(7)).as("of one that is").isNotDone();
    }

    private String asked(long tableId) throws InterruptedException {
        try {
            return watch.current(tableId).map(TableSchema::name).orElse("none");
        } catch (CorruptionException damaged) {
            return "damaged";
        } catch (BigtableException failed) {
            throw new AssertionError(failed);
        }
    }

    private static String expected(long tableId) {
        if (tableId == DAMAGED) {
            return "damaged";
        }
        return tableId == ABSENT ? "none" : "t" + tableId;
    }

    private static Bytes file(long tableId) throws BigtableException {
        TableSchema draft =
                TableSchema.draft("t" + tableId).family("f", GcRule.KEEP_ALL).build();
        TableSchema table = new TableSchema(
                tableId, draft.name(), 1, draft.nextFamilyId(), draft.durability(), draft.families(), draft.groups());
        return TableFile.encode(Schemas.encode(table));
    }
}
