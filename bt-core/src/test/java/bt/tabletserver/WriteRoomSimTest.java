package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.OverloadedException;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.protocol.WriteResult;
import bt.testing.SeededTest;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Who gives tablets a file for each of many locality groups takes no more of a server than there is, and nothing that others need. */
class WriteRoomSimTest {
    private static final int GROUPS = 16;
    private static final long TABLET_BYTES = 1 << 20;

    /** As docs/guide/limits.md has it. */
    private static final long MOST_BYTES = TABLET_BYTES / 4 * 7;

    /** With all groups they take three times of what there is. */
    private static final List<String> MANY_ROWS =
            IntStream.range(0, 40).mapToObj("row %02d"::formatted).toList();

    private static final List<String> SOME_ROWS = MANY_ROWS.subList(0, 6);

    private static TableSchema draft(String name, int groups) {
        TableSchema.Builder draft = TableSchema.draft(name);
        for (int i = 0; i < groups; i++) {
            LocalityGroup like = LocalityGroup.DEFAULT;
            draft.group(new LocalityGroup("g" + i, like.blockBytes(), like.codec(), like.inMemory(), like.bloom()));
            draft.family("f" + i, "g" + i, GcRule.KEEP_ALL);
        }
        return draft.build();
    }

    private static RowMutation cellInEach(String row, int groups) {
        RowMutation.Builder mutation = RowMutation.of(row);
        for (int i = 0; i < groups; i++) {
            mutation.set(ColumnKey.of("f" + i, ""), Bytes.EMPTY);
        }
        return mutation.build();
    }

    private static List<RowMutation> cellInEach(List<String> rows) {
        return rows.stream().map(row -> cellInEach(row, GROUPS)).toList();
    }

    @SeededTest(runs = 3)
    void filesOfOneTableHaveABoundAndAreNoReasonToRefuseWritesOfASmallOne(RandomGenerator random) {
        SimServers sim = new SimServers(random.nextLong(), 1, 1 << 20, 8 << 20, TABLET_BYTES);
        sim.run(Duration.ofMinutes(60), () -> {
            long small = sim.createTable(draft("small", 1));
            long middle = sim.createTable(draft("middle", GROUPS), SOME_ROWS.toArray(String[]::new));
            long large = sim.createTable(draft("large", GROUPS), MANY_ROWS.toArray(String[]::new));
            sim.awaitServed();
            assertThat(sim.writeOnce("server-1", middle, cellInEach(SOME_ROWS)))
                    .allSatisfy(result -> assertThat(result.failure()).isEmpty());
            sim.flush(middle, "server-1");

            for (int i = 0; i < 3; i++) {
                List<WriteResult> results = sim.writeOnce("server-1", large, cellInEach(MANY_ROWS));
                assertThat(results).anySatisfy(result -> assertThat(result.failure())
                        .get()
                        .isInstanceOf(OverloadedException.class)
                        .asString()
                        .contains("its tablet would get " + GROUPS + " more files"));
                if (i == 0) {
                    assertThat(results)
                            .anySatisfy(result -> assertThat(result.failure()).isEmpty());
                }
                assertThat(sim.servedBytes("server-1", TABLET_BYTES)).isLessThan(MOST_BYTES);
                sim.flush(large, "server-1");
                sim.scheduler.pause(2_000);
                assertThat(sim.servedBytes("server-1", TABLET_BYTES)).isLessThan(MOST_BYTES);
                assertThat(refusal(sim)).contains("most of all table large with ");

                assertThat(sim.writeOnce("server-1", small, List.of(cellInEach("row", 1))))
                        .allSatisfy(result -> assertThat(result.failure()).isEmpty());
                sim.flush(small, "server-1");
            }
            assertThat(sim.writeOnce("server-1", middle, cellInEach(SOME_ROWS)))
                    .as("it takes more than what is left")
                    .allSatisfy(result -> assertThat(result.failure()).get().isInstanceOf(OverloadedException.class));

            sim.dropTable("large", large);
            for (RowMutation mutation : cellInEach(SOME_ROWS)) {
                assertThat(sim.write(middle, mutation, Optional.empty()).failure())
                        .isEmpty();
            }
            assertThat(refusal(sim)).isEmpty();
        });
    }

    private static String refusal(SimServers sim) throws InterruptedException {
        return sim.status("server-1").getProblems().stream()
                .map(Object::toString)
                .filter(problem -> problem.startsWith("it refuses writes that give tablets more files"))
                .findFirst()
                .orElse("");
    }
}
