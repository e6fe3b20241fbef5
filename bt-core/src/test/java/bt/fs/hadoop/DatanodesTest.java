package bt.fs.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.Scheduler;
import bt.fs.hadoop.Datanodes.Question;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.hadoop.hdfs.protocol.DatanodeID;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo.DatanodeInfoBuilder;
import org.junit.jupiter.api.Test;

/** Who is asked when, and where the next file goes then. */
class DatanodesTest {
    private static final List<DatanodeInfo> ALL =
            IntStream.range(0, 3).mapToObj(DatanodesTest::datanode).toList();

    private final Set<DatanodeInfo> silent = new HashSet<>();
    private final Set<DatanodeInfo> gone = new HashSet<>();
    private final List<DatanodeInfo> asked = new ArrayList<>();

    /** What they take to answer that answer late. */
    private final Map<DatanodeInfo, Long> slowMillis = new HashMap<>();

    private static DatanodeInfo datanode(int number) {
        return new DatanodeInfoBuilder()
                .setNodeID(new DatanodeID("127.0.0.1", "host", "id-" + number, 1_000 + number, 0, 0, 0))
                .build();
    }

    private Datanodes datanodes(Scheduler scheduler) {
        return new Datanodes(
                datanode -> {
                    asked.add(datanode);
                    if (gone.contains(datanode)) {
                        return false;
                    }
                    boolean isAnswered = !silent.contains(datanode);
                    pause(scheduler, isAnswered ? slowMillis.getOrDefault(datanode, 0L) : Question.MAX_MILLIS);
                    return isAnswered;
                },
                scheduler);
    }

    private static void pause(Scheduler scheduler, long millis) {
        try {
            scheduler.pause(millis);
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }

    private interface Situation {
        void run(SimScheduler scheduler, Datanodes datanodes, Pipeline writer)
                throws BigtableException, InterruptedException;
    }

    /** Of a writer whose file all three datanodes have. */
    private void given(Situation situation) {
        SimScheduler scheduler = new SimScheduler(1);
        scheduler.run(Duration.ofHours(1), () -> {
            Datanodes datanodes = datanodes(scheduler);
            Pipeline writer = datanodes.watch();
            writer.see(ALL);
            try {
                situation.run(scheduler, datanodes, writer);
            } catch (BigtableException failed) {
                throw new AssertionError(failed);
            }
        });
    }

    @Test
    void nobodyIsAskedWhileNoWriterWaitsForLong() {
        given((scheduler, datanodes, writer) -> {
            silent.add(ALL.get(1));
            writer.begin();
            scheduler.pause(900);
            assertThat(datanodes.answering(2, 3)).isEmpty();
            writer.end();
            scheduler.pause(900_000);
            assertThat(datanodes.answering(2, 3)).isEmpty();
            assertThat(asked).isEmpty();
        });
    }

    /** Every datanode is slow where the machine is, and a first question takes the classes that ask it. */
    @Test
    void whereTooFewAnswerAtOnceThereIsLongerTimeForThem() {
        given((scheduler, datanodes, writer) -> {
            silent.add(ALL.get(1));
            slowMillis.put(ALL.get(0), 1_000L);
            slowMillis.put(ALL.get(2), 3_000L);
            writer.begin();
            scheduler.pause(1_100);
            long began = scheduler.clock().nanos();
            assertThat(datanodes.answering(2, 3)).containsExactlyInAnyOrder(ALL.get(0), ALL.get(2));
            assertThat(scheduler.clock().nanos() - began).isBetween(3_000_000_000L, 3_500_000_000L);
        });
    }

    /** Its connections are refused until it listens. */
    @Test
    void oneThatIsJustRestartedIsWaitedForWhereTooFewAnswer() {
        given((scheduler, datanodes, writer) -> {
            silent.add(ALL.get(1));
            gone.add(ALL.get(2));
            scheduler.after(4_000, gone::clear);
            writer.begin();
            scheduler.pause(1_100);
            assertThat(datanodes.answering(2, 3)).containsExactlyInAnyOrder(ALL.get(0), ALL.get(2));
            assertThat(asked).as("with a pause between two questions").hasSizeLessThan(20);
            gone.add(ALL.get(2));
            long began = scheduler.clock().nanos();
            assertThat(datanodes.answering(2, 3)).isEmpty();
            assertThat(scheduler.clock().nanos() - began).isBetween(5_000_000_000L, 6_000_000_000L);
        });
    }

    @Test
    void whereAllAnswerAndAreTooFewTheNameNodeChoosesAtOnce() {
        given((scheduler, datanodes, writer) -> {
            writer.see(ALL.subList(0, 1));
            writer.begin();
            scheduler.pause(1_100);
            long began = scheduler.clock().nanos();
            assertThat(datanodes.answering(2, 3)).isEmpty();
            assertThat(scheduler.clock().nanos() - began).isLessThan(100_000_000L);
            assertThat(asked).hasSize(1);
        });
    }

    @Test
    void whereEnoughAnswerAtOnceTheRestIsNotWaitedForLong() {
        given((scheduler, datanodes, writer) -> {
            silent.add(ALL.get(1));
            writer.begin();
            scheduler.pause(1_100);
            long began = scheduler.clock().nanos();
            assertThat(datanodes.answering(2, 3)).hasSize(2);
            assertThat(scheduler.clock().nanos() - began).isBetween(500_000_000L, 600_000_000L);
        });
    }

    @Test
    void aWriterThatWaitsHasTheNextFileGoToThoseThatAnswer() {
        given((scheduler, datanodes, writer) -> {
            silent.add(ALL.get(1));
            writer.begin();
            scheduler.pause(2_000);
            assertThat(datanodes.answering(2, 3)).containsExactlyInAnyOrder(ALL.get(0), ALL.get(2));
            assertThat(datanodes.answering(1, 1)).hasSize(1).doesNotContain(ALL.get(1));
        });
    }

    @Test
    void itIsLeftOutUntilItAnswersAgain() {
        given((scheduler, datanodes, writer) -> {
            silent.add(ALL.get(1));
            writer.begin();
            scheduler.pause(2_000);
            assertThat(datanodes.answering(2, 3)).hasSize(2);
            datanodes.forget(writer);
            assertThat(datanodes.answering(2, 3)).hasSize(2);
            silent.clear();
            assertThat(datanodes.answering(2, 3)).isEmpty();
            asked.clear();
            assertThat(datanodes.answering(2, 3)).isEmpty();
            assertThat(asked).isEmpty();
        });
    }

    @Test
    void whereTooFewAnswerTheNameNodeChooses() {
        given((scheduler, datanodes, writer) -> {
            silent.addAll(ALL.subList(0, 2));
            writer.begin();
            scheduler.pause(2_000);
            assertThat(datanodes.answering(2, 3)).isEmpty();
            assertThat(datanodes.answering(1, 3)).containsExactly(ALL.get(2));
        });
    }

    @Test
    void oneThatIsGoneForGoodIsForgotten() {
        given((scheduler, datanodes, writer) -> {
            silent.add(ALL.get(1));
            writer.begin();
            scheduler.pause(2_000);
            assertThat(datanodes.answering(2, 3)).hasSize(2);
            datanodes.forget(writer);
            scheduler.pause(700_000);
            assertThat(datanodes.answering(2, 3)).hasSize(2);
            asked.clear();
            assertThat(datanodes.answering(2, 3)).isEmpty();
            assertThat(asked).isEmpty();
        });
    }
}
