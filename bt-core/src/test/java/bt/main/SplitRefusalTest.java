package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.command.ExitCode;
import bt.coord.Paths;
import bt.main.CommandLines.Result;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.record.ClusterStatus;
import bt.record.ClusterStatusRequest;
import bt.record.MasterFile;
import bt.record.RecoveryReport;
import bt.record.RecoveryRequest;
import bt.record.SweepReport;
import bt.record.SweepRequest;
import bt.record.TableWork;
import bt.record.WorkLine;
import bt.record.WorkRefusal;
import bt.record.WorkReport;
import bt.testing.MemoryCluster;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A split that its server refuses is refused by {@code bt split} too, and a merge that its master refuses by {@code bt merge}. */
class SplitRefusalTest {
    private static final Address MASTER = new Address("master", 1);

    private MemoryCluster cluster;
    private CommandLines bt;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.locks.create(Paths.MASTER, AvroBytes.encode(new MasterFile(MASTER.toString(), "nonce")));
        cluster.table(4, TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build(), List.of(), 3);
        bt = CommandLines.over(Bigtable.over(cluster, cluster.locks, cluster.scheduler));
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private void masterTells(WorkRefusal... refusals) {
        masterTells(new WorkLine("t", TableWork.SPLIT, 0, null, List.of(refusals)));
    }

    private void masterTells(WorkLine line) {
        cluster.listen(
                MASTER,
                (caller, request) -> CompletableFuture.completedFuture(
                        new Answer.Control(answer(((Request.Control) request).message(), line))));
    }

    private static SpecificRecord answer(SpecificRecord message, WorkLine line) {
        if (message instanceof ClusterStatusRequest) {
            return ClusterStatus.newBuilder()
                    .setMasterEpoch(1)
                    .setInstance("i")
                    .setUnassigned(0)
                    .setServers(List.of())
                    .setProblems(List.of())
                    .build();
        }
        if (message instanceof RecoveryRequest) {
            return new RecoveryReport(List.of());
        }
        if (message instanceof SweepRequest) {
            return new SweepReport(List.of());
        }
        return new WorkReport(List.of(line));
    }

    private static WorkRefusal refusal(String row, boolean damage, String why) {
        return new WorkRefusal(AvroBytes.buffer(Bytes.utf8(row)), damage, why);
    }

    @Test
    void itsKindAndItsReasonAreThoseOfTheServer() {
        masterTells(
                refusal("other", true, "not meant"), refusal("m", false, "table t: the last tablet cannot be split"));
        Result rejected = bt.run("split", "t", "m");
        assertThat(rejected.code()).isEqualTo(ExitCode.REJECTED);
        assertThat(rejected.err()).contains("bt: REJECTED: table t: the last tablet cannot be split");

        masterTells(refusal("", true, "data/4/f at 8: damaged"));
        Result damaged = bt.run("split", "t");
        assertThat(damaged.code()).isEqualTo(ExitCode.CORRUPTION);
        assertThat(damaged.err()).contains("data/4/f at 8: damaged");
    }

    /** That of a row is listed for a minute, and says nothing of a split in the middle that found nothing to do. */
    @Test
    void theRefusalOfARowIsNoneOfASplitInTheMiddle() {
        masterTells(refusal("m", true, "data/4/f at 8: damaged"));
        Result middle = bt.run("split", "t");
        assertThat(middle.code()).isEqualTo(ExitCode.REJECTED);
        assertThat(middle.err()).contains("bt: REJECTED: table t has no tablet that can be split in its middle");
    }

    /** Those of a table are one operation: what was refused may be another. */
    @Test
    void aMergeThatIsRefusedIsNoneThatIsDone() throws Exception {
        cluster.table(5, TableSchema.draft("two").family("f", GcRule.KEEP_ALL).build(), List.of(Bytes.utf8("m")), 3);
        masterTells(new WorkLine(
                "two", TableWork.MERGE, 0, null, List.of(refusal("a", false, "too large: merge some of them"))));
        Result refused = bt.run("merge", "two", "b", "z");
        assertThat(refused.code()).isEqualTo(ExitCode.REJECTED);
        assertThat(refused.err()).contains("bt: REJECTED: table two: too large: merge some of them");
        assertThat(bt.run("merge", "two", "n", "z").code()).isEqualTo(ExitCode.DONE);
    }
}
