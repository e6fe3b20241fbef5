package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.master.MasterConfig;
import bt.model.GcRule;
import bt.model.TableSchema;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/** What is planned for a change of METADATA is met by whoever sends it, once. */
class PlannedChangeSimTest {
    @SeededTest(runs = 3)
    void whoeverSendsTheChangeMeetsWhatIsPlannedForIt(RandomGenerator random) {
        ClusterStory.tell(random, MasterConfig.DEFAULT, table("first"), List.of(), (cluster, client) -> {
            List<String> first = new ArrayList<>();
            List<String> second = new ArrayList<>();
            List<String> forgotten = new ArrayList<>();
            cluster.beforeAnyChange(1, forgotten::add);
            cluster.forgetSteps();
            cluster.beforeAnyChange(1, first::add);
            cluster.beforeAnyChange(2, second::add);
            client.admin().createTable(table("t"), List.of(Bytes.utf8("m")));
            client.admin().flush("t");
            cluster.scheduler().pause(10_000);
            assertThat(forgotten).isEmpty();
            assertThat(first).hasSize(1);
            assertThat(second).hasSize(1);
            assertThat(Stream.concat(first.stream(), second.stream()))
                    .allMatch(process -> cluster.masters().contains(process)
                            || cluster.servers().contains(process));
        });
    }

    private static TableSchema table(String name) {
        return TableSchema.draft(name).family("f", GcRule.KEEP_ALL).build();
    }
}
