package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.master.MasterConfig;
import bt.model.GcRule;
import bt.model.TableSchema;
import java.util.List;
import java.util.random.RandomGenerator;

/** A death is one event: who unwinds says nothing more. */
class HaltSimTest {
    @SeededTest(runs = 3)
    void whoDiesAtAChangeOfMetadataDoesNotHaltToo(RandomGenerator random) {
        TableSchema table = TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
        ClusterStory.tell(random, MasterConfig.DEFAULT, table, List.of(), (cluster, client) -> {
            cluster.crashAt(CrashPoint.BEFORE_METADATA_CHANGES, 1);
            client.admin().splitTablet("t", Bytes.utf8("m"));
            List<String> events = cluster.scheduler().events().stream()
                    .map(SimEvent::what)
                    .filter(what -> what.startsWith("crash of server") || what.contains(" halts: "))
                    .toList();
            assertThat(events).singleElement().asString().startsWith("crash of server");
        });
    }
}
