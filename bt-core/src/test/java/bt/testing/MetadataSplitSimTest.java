package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.Bigtable;
import bt.doctor.Doctor;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.model.TabletId;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** METADATA's tablets are split behind rows of tablets that there are, though most of their rows are marked gone. */
class MetadataSplitSimTest {
    private static final int TABLETS = 200;
    private static final List<Bytes> SPLITS =
            IntStream.range(1, TABLETS).mapToObj(MetadataSplitSimTest::row).toList();

    private final SimCluster cluster = new SimCluster(23, 1 << 20);
    private final Doctor.Ports ports = cluster.ports();
    private final MetadataTable metadata =
            new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());

    /** In the middle of the bytes lie rows of those that are gone. */
    @Test
    void theMiddleIsTheRowOfATabletThatThereIs() {
        withTable(client -> {
            client.admin().mergeTablets("t", row(20), row(180));
            assertThat(client.admin().splitTablets("METADATA")).singleElement().isIn(key(19), key(180));
            assertThat(client.admin().splitTablets("METADATA")).isSubsetOf(living());
        });
    }

    @Test
    void whereTheOneAboveIsTheLastTheMiddleIsTheOneBefore() {
        withTable(client -> {
            client.admin().mergeTablets("t", row(20), row(TABLETS));
            assertThat(client.admin().splitTablets("METADATA")).containsExactly(key(19));
        });
    }

    @Test
    void whereNoTabletIsLeftButTheLastThereIsNoMiddle() {
        withTable(client -> {
            client.admin().mergeTablets("t", row(1), row(TABLETS));
            assertThatThrownBy(() -> client.admin().splitTablets("METADATA"))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("or tell of tablets that are gone");
        });
    }

    @Test
    void aRowThatIsGivenIsThatOfATabletThatThereIs() {
        withTable(client -> {
            client.admin().mergeTablets("t", row(20), row(21));
            assertThatThrownBy(() -> client.admin().splitTablet("METADATA", key(20)))
                    .isInstanceOf(RejectedException.class)
                    .hasMessage("table METADATA: the last tablet cannot be split at row "
                            + key(20).brief()
                            + ": that is the row of no tablet that there is: name one that is, the next is "
                            + key(21).brief());
            assertThatThrownBy(
                            () -> client.admin().splitTablet("METADATA", MetadataKeys.lookUp(1, row(30).successor())))
                    .as("of a look-up")
                    .isInstanceOf(RejectedException.class);
            client.admin().splitTablet("METADATA", key(21));
            assertThat(metadata.read(new TabletId(TableSchema.METADATA_ID, Optional.of(key(21)))))
                    .isPresent();
        });
    }

    private interface Story {
        void tell(Bigtable client) throws BigtableException, InterruptedException;
    }

    private void withTable(Story story) {
        cluster.startMaster();
        cluster.startServer();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(60), () -> {
            try (Bigtable client = cluster.client()) {
                TableSchema draft =
                        TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
                assertThat(client.admin().createTable(draft, SPLITS).id()).isEqualTo(1);
                story.tell(client);
                Checkup.of(ports);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** Rows of METADATA. */
    private List<Bytes> living() throws BigtableException, InterruptedException {
        return metadata.scan(1, 1).stream()
                .map(MetadataRow::id)
                .map(MetadataKeys::of)
                .toList();
    }

    private static Bytes key(int number) {
        return MetadataKeys.of(new TabletId(1, Optional.of(row(number))));
    }

    private static Bytes row(int number) {
        return Bytes.utf8("%0200d".formatted(number));
    }
}
