package bt.thrift.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.MasterView;
import bt.client.Operation;
import bt.client.ServerInfo;
import bt.model.DroppedTable;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.thrift.gen.Servers;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.thrift.TBase;
import org.apache.thrift.TException;
import org.apache.thrift.TSerializer;
import org.apache.thrift.protocol.TBinaryProtocol;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TProtocolFactory;
import org.junit.jupiter.api.Test;

/** What there is any number of in a cluster: an answer has as much of it as a frame holds, or is refused. */
class AnswerRoomTest {
    private static final AnswerRoom ROOM = new AnswerRoom(20_000);

    @Test
    void operationsThatNoFrameHoldsAreRejected() throws Exception {
        assertThat(ROOM.checkedOperations(Collections.nCopies(20, operation(0))))
                .hasSize(20);
        assertThatThrownBy(() -> ROOM.checkedOperations(Collections.nCopies(200, operation(0))))
                .isInstanceOf(RejectedException.class)
                .hasMessageMatching("the 200 operations under way take [0-9]+ bytes of an answer, 20000 fit: .*");
    }

    @Test
    void ofOneOperationSoManyRefusalsAreToldAsFit() throws Exception {
        assertThat(ROOM.checkedOperations(List.of(operation(3))).get(0).getRefusals())
                .hasSize(3);
        bt.thrift.gen.Operation told =
                ROOM.checkedOperations(List.of(operation(1_000))).get(0);
        assertThat(told.getRefusals()).hasSizeBetween(5, 50);
        fits(told);
    }

    @Test
    void problemsOfTheClusterAreToldAsFarAsTheyFitAndServersAllOrNot() throws Exception {
        Servers few = ROOM.checked(cluster(3, List.of("one", "two")));
        assertThat(few.getServers()).hasSize(3);
        assertThat(few.getProblems()).containsExactly("one", "two");
        Servers many = ROOM.checked(cluster(3, Collections.nCopies(1_000, "\u20ac".repeat(2_000))));
        assertThat(many.getServers()).hasSize(3);
        assertThat(many.getProblems()).hasSizeBetween(2, 10).allMatch(problem -> problem.length() <= 1_000);
        fits(many);
        assertThatThrownBy(() -> ROOM.checked(cluster(1_000, List.of())))
                .isInstanceOf(RejectedException.class)
                .hasMessageStartingWith("the 1000 tablet servers of the cluster take ");
    }

    @Test
    void droppedTablesThatNoFrameHoldsAreRejected() throws Exception {
        DroppedTable table = new DroppedTable(
                TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build(), 5);
        assertThat(ROOM.checkedDropped(List.of(table))).singleElement().satisfies(told -> {
            assertThat(told.getName()).isEqualTo("t");
            assertThat(told.getDropped()).isEqualTo(5);
        });
        assertThatThrownBy(() -> ROOM.checkedDropped(Collections.nCopies(1_000, table)))
                .isInstanceOf(RejectedException.class)
                .hasMessageStartingWith("the 1000 tables that can come back take ");
    }

    private static Operation operation(int refusals) {
        return new Operation(
                "split/webtable",
                Operation.Kind.SPLIT,
                "webtable",
                7,
                OptionalLong.of(1_000),
                false,
                Optional.of("the tablet that ends with row m is not served"),
                Collections.nCopies(
                        refusals,
                        new Operation.Refusal(
                                Bytes.utf8("row".repeat(100)),
                                BigtableException.Kind.REJECTED,
                                "it has no row to be split at")));
    }

    private static MasterView cluster(int servers, List<String> problems) {
        ServerInfo server = new ServerInfo("10.0.0.1_9101_77", "10.0.0.1:9101", 3, true, 12, 77, false, 0, List.of());
        return new MasterView(1, "cluster", 0, Collections.nCopies(servers, server), problems);
    }

    private static void fits(TBase<?, ?> answer) throws TException {
        for (TProtocolFactory protocol : List.of(new TCompactProtocol.Factory(), new TBinaryProtocol.Factory())) {
            assertThat((long) new TSerializer(protocol).serialize(answer).length)
                    .isLessThanOrEqualTo(ROOM.bytes());
        }
    }
}
