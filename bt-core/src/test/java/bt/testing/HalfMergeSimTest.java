package bt.testing;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.Bigtable;
import bt.client.Table;
import bt.doctor.Doctor;
import bt.metadata.MergeIntent;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.model.GcRule;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Request;
import bt.record.SplitTablet;
import bt.record.TabletState;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A master dies in a merge of two tablets of which different tablets of METADATA have the rows, and one of these is not served. */
class HalfMergeSimTest {
    private static final List<String> ROWS = List.of("a", "ba", "bc", "ca");
    private static final TabletId LOWER = new TabletId(1, Optional.of(Bytes.utf8("b")));
    private static final TabletId UPPER = new TabletId(1, Optional.of(Bytes.utf8("c")));

    /** The lower tablet's row is the last of the first part. */
    private static final Bytes BORDER = MetadataKeys.of(LOWER);

    private static final TabletId FIRST_PART = new TabletId(TableSchema.METADATA_ID, Optional.of(BORDER));

    private final SimCluster cluster = new SimCluster(17, 1 << 20);
    private final Doctor.Ports ports = cluster.ports();
    private final MetadataTable metadata =
            new MetadataTable(ports.network(), ports.locks(), ports.scheduler(), ports.random());

    @Test
    void theLowerTabletIsItselfAgainThoughTheUpperOneHasSplitBeforeItsRowCouldBeRead() {
        inTwoParts(client -> {
            markOffline("a test");
            leaveAMergeHalfDone(client);
            cluster.crash(metadata.read(FIRST_PART).orElseThrow().location().getAddress());
            cluster.startServer();
            cluster.startMaster();
            pause(60);
            splitTheUpper();
            markOffline(null);
            pause(60);
            for (String row : ROWS) {
                assertThat(client.table("t").read(Bytes.utf8(row))).as(row).isPresent();
            }
            assertThat(client.admin().clusterStatus().problems()).isEmpty();
            Checkup.of(ports);
        });
    }

    private interface Story {
        void tell(Bigtable client) throws BigtableException, InterruptedException;
    }

    private void inTwoParts(Story story) {
        cluster.startMaster();
        cluster.startServer();
        cluster.run(Duration.ofMinutes(60), () -> {
            try (Bigtable client = cluster.client()) {
                client.admin()
                        .createTable(
                                TableSchema.draft("t")
                                        .family("f", GcRule.KEEP_ALL)
                                        .build(),
                                Stream.of("b", "c").map(Bytes::utf8).toList());
                Table table = client.table("t");
                for (String row : ROWS) {
                    table.apply(RowMutation.of(row).set("f", "q", "value").build());
                }
                client.admin().splitTablet("METADATA", BORDER);
                String second = cluster.startServer();
                pause(3);
                client.admin().moveTablet("METADATA", BORDER.successor(), second + ":1");
                client.admin().moveTablet("METADATA", Bytes.EMPTY, second + ":1");
                story.tell(client);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    /** METADATA's tablets cannot be merged before. The lower tablet's row says into which it is merged; the master is dead, and the upper one's row knows nothing of it. */
    private void leaveAMergeHalfDone(Bigtable client) throws BigtableException, InterruptedException {
        String master = cluster.masters().get(0);
        cluster.beforeChange(master, 2, () -> cluster.kill(master));
        assertThatThrownBy(() -> client.admin().mergeTablets("t", Bytes.utf8("a"), Bytes.utf8("bc")))
                .isInstanceOf(BigtableException.class);
        assertThat(MergeIntent.of(metadata.read(LOWER).orElseThrow())).isPresent();
        assertThat(metadata.read(UPPER).orElseThrow().previousEndRow()).isEqualTo(LOWER.endRow());
    }

    /** A client would look for the lower tablet first. */
    private void splitTheUpper() throws BigtableException, InterruptedException {
        MetadataRow upper = metadata.read(UPPER).orElseThrow();
        SplitTablet order = new SplitTablet(
                1L,
                AvroBytes.buffer(upper.previousEndRow()),
                AvroBytes.buffer(UPPER.endRow()),
                AvroBytes.buffer(Bytes.utf8("bb")),
                -1L);
        Address server = Address.parse(upper.location().getAddress());
        ports.scheduler().await(ports.network().send(server, new Request.Control(order), 60_000), 60_000);
    }

    private void markOffline(@Nullable String why) throws BigtableException, InterruptedException {
        while (true) {
            MetadataRow part = metadata.read(FIRST_PART).orElseThrow();
            TabletState state =
                    TabletState.newBuilder(part.state()).setOffline(why).build();
            try {
                MetadataRow unused = metadata.replace(part, part.location(), state, "planted");
                return;
            } catch (RejectedException changed) {
                pause(1);
            }
        }
    }

    private void pause(long seconds) throws InterruptedException {
        cluster.scheduler().pause(seconds * 1_000);
    }
}
