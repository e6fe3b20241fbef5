package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.Quotas;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.protocol.Caller;
import bt.protocol.Write;
import bt.protocol.WriteId;
import bt.record.QuotaStand;
import bt.testing.ManualClock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class QuotaGateTest {
    private static final TableSchema SCHEMA = TableSchema.draft("t")
            .family("f", GcRule.KEEP_ALL)
            .quotas(Quotas.NONE.table(OptionalLong.of(100)))
            .build();

    private final QuotaGate gate = new QuotaGate(new ManualClock(0));

    @Test
    void whatTheMasterHasSeenIsCountedOnce() throws Exception {
        put(60);
        gate.hear(stand(60), gate.tell(List.of()).number());
        put(60);
        assertThatThrownBy(() -> put(2)).isInstanceOf(RejectedException.class).hasMessageContaining("120 are taken");
    }

    /** The doctor and the collection of garbage ask for the same as the master's look. */
    @Test
    void whatSomebodyElseWasToldIsStillNewToTheMaster() throws Exception {
        long heard = gate.tell(List.of()).number();
        put(100);
        assertThat(gate.report(List.of())).isEmpty();
        gate.hear(stand(0), heard);
        assertThatThrownBy(() -> put(2)).isInstanceOf(RejectedException.class).hasMessageContaining("100 are taken");
    }

    @Test
    void whatWasToldInAnAnswerThatWasLostIsStillNewToTheMaster() throws Exception {
        long heard = gate.tell(List.of()).number();
        put(60);
        for (int lost = 0; lost < 10; lost++) {
            assertThat(gate.tell(List.of()).number()).isGreaterThan(heard);
            gate.hear(stand(0), heard);
            put(4);
        }
        assertThatThrownBy(() -> put(2)).isInstanceOf(RejectedException.class).hasMessageContaining("100 are taken");
    }

    /** It has read what the one before it knew. */
    @Test
    void aMasterThatHasNotHeardOfUsYetKnowsWhatTheOneBeforeItDid() throws Exception {
        put(60);
        assertThat(gate.tell(List.of()).number()).isZero();
        gate.hear(stand(60), -1);
        put(38);
        put(2);
        assertThatThrownBy(() -> put(2)).isInstanceOf(RejectedException.class);
    }

    /** It cannot know what is there; a quota's worth of its own is the most that it lets in. */
    @Test
    void beforeTheFirstWordOfAMasterAServerCountsWhatItTakesItself() throws Exception {
        put(60);
        put(40);
        assertThatThrownBy(() -> put(2)).isInstanceOf(RejectedException.class).hasMessageContaining("100 are taken");
        long heard = gate.tell(List.of()).number();
        gate.hear(null, -1);
        assertThatThrownBy(() -> put(2)).isInstanceOf(RejectedException.class).hasMessageContaining("100 are taken");
        gate.hear(stand(170), heard);
        assertThatThrownBy(() -> put(2)).isInstanceOf(RejectedException.class).hasMessageContaining("170 are taken");
    }

    @Test
    void aMasterThatKnowsLessThanTheLastOneTakesNothingBack() throws Exception {
        gate.hear(stand(100), gate.tell(List.of()).number());
        gate.hear(null, -1);
        assertThatThrownBy(() -> put(2)).isInstanceOf(RejectedException.class).hasMessageContaining("100 are taken");
    }

    /** Each of ten thousand others has one family. */
    @Test
    void aUserBeyondThoseThatAreToldApartIsHeldToTheTablesQuotaAlone() throws Exception {
        TableSchema shared = TableSchema.draft("t")
                .family("f", GcRule.KEEP_ALL)
                .quotas(Quotas.NONE.table(OptionalLong.of(40_000)).eachUser(OptionalLong.of(10)))
                .build();
        for (int i = 0; i < 10_000; i++) {
            put(3, "user" + i, shared);
        }
        for (int i = 0; i < 100; i++) {
            put(100, "late", shared);
        }
        assertThatThrownBy(() -> put(3, "late", shared))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("table t: the quota of 40000 bytes");
    }

    private static List<QuotaStand> stand(long bytes) {
        return List.of(new QuotaStand(SCHEMA.id(), bytes, List.of()));
    }

    /** A row and a qualifier of one byte each are counted too. */
    private void put(int bytes) throws RejectedException {
        put(bytes, "alice", SCHEMA);
    }

    private void put(int bytes, String user, TableSchema schema) throws RejectedException {
        RowMutation mutation = RowMutation.of("r")
                .set(ColumnKey.of("f", "q"), Bytes.wrap(new byte[bytes - 2]))
                .build();
        Write write = new Write(mutation, new WriteId(1, 1, 1), Optional.empty());
        WriteEntry entry = WriteEntry.of(new Caller(user, "here", 0), schema.id(), write, result -> {});
        gate.check(entry, schema);
        gate.count(entry, schema);
    }
}
