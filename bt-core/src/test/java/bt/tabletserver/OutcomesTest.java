package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.UnavailableException;
import bt.protocol.WriteId;
import bt.protocol.WriteResult;
import bt.tablet.OpenWrite;
import bt.testing.SeededTest;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class OutcomesTest {
    private final Outcomes outcomes = new Outcomes();

    private static WriteId write(long client, long number, long lowestOpen) {
        return new WriteId(client, number, lowestOpen);
    }

    private static void add(Outcomes to, WriteId id, long result) {
        to.add(1, open(id, result, 0));
    }

    private static OpenWrite open(WriteId id, long result, long micros) {
        OpenWrite.Author author = new OpenWrite.Author(id.client(), id.number(), id.lowestOpen());
        return new OpenWrite(Bytes.utf8("r"), id.number(), author, result, micros);
    }

    private static void assertUnknown(Optional<WriteResult> found) {
        BigtableException failure = found.orElseThrow().failure().orElseThrow();
        assertThat(failure).isInstanceOf(UnavailableException.class);
        assertThat(failure.outcome()).isEqualTo(Outcome.UNKNOWN);
    }

    @Test
    void aRetryIsAnsweredWhatTheWriteWas() {
        add(outcomes, write(1, 5, 5), 1000);
        assertThat(outcomes.find(write(1, 5, 5))).contains(WriteResult.applied(1000));
    }

    @Test
    void aNewWriteIsNotKnown() {
        add(outcomes, write(1, 5, 5), 1000);
        assertThat(outcomes.find(write(1, 6, 5))).isEmpty();
        assertThat(outcomes.find(write(2, 5, 5))).isEmpty();
    }

    @Test
    void whatTheClientHasAnswersForIsForgotten() {
        for (long number = 1; number <= 100; number++) {
            add(outcomes, write(1, number, Math.max(1, number - 3)), number);
        }
        assertThat(outcomes.size()).isEqualTo(4);
    }

    @Test
    void aLateCopyOfAnAnsweredWriteIsNotNew() {
        add(outcomes, write(1, 5, 5), 1000);
        add(outcomes, write(1, 6, 6), 1001);
        assertUnknown(outcomes.find(write(1, 5, 5)));
    }

    @Test
    void aWriteThatNeverArrivedBeforeItWasGivenUpIsNotNew() {
        add(outcomes, write(1, 6, 6), 1001);
        assertUnknown(outcomes.find(write(1, 5, 5)));
    }

    @Test
    void beyondTheBoundTheLowestOfTheSilentClientIsForgottenAndUnknown() {
        Outcomes few = new Outcomes(3 * 201, 10);
        add(few, write(1, 1, 1), 11);
        add(few, write(1, 2, 1), 12);
        add(few, write(2, 1, 1), 21);
        add(few, write(2, 2, 1), 22);
        assertThat(few.size()).isEqualTo(3);
        assertUnknown(few.find(write(1, 1, 1)));
        assertThat(few.find(write(1, 2, 1))).contains(WriteResult.applied(12));
        assertThat(few.find(write(2, 1, 1))).contains(WriteResult.applied(21));
    }

    @Test
    void beyondTheBoundOfClientsTheOneSilentForLongestIsForgotten() {
        Outcomes few = new Outcomes(10 * 201, 2);
        add(few, write(1, 1, 1), 11);
        add(few, write(2, 1, 1), 21);
        assertThat(few.find(write(1, 1, 1))).isPresent();
        add(few, write(3, 1, 1), 31);
        assertThat(few.find(write(1, 1, 1))).isPresent();
        assertThat(few.find(write(2, 1, 1))).isEmpty();
        assertThat(few.size()).isEqualTo(2);
    }

    @Test
    void whatALogToldIsKnownToo() {
        Outcomes replayed = new Outcomes();
        add(replayed, write(1, 4, 4), 999);
        add(replayed, write(1, 5, 5), 1000);
        outcomes.addAll(replayed);
        assertThat(outcomes.find(write(1, 5, 5))).contains(WriteResult.applied(1000));
        assertUnknown(outcomes.find(write(1, 4, 4)));
    }

    @SeededTest(runs = 50)
    void everyOpenWriteIsAnsweredAsItWasApplied(RandomGenerator random) {
        Map<Long, Long> lowestOpen = new HashMap<>();
        Map<WriteId, Long> open = new HashMap<>();
        for (int i = 0; i < 500; i++) {
            long client = random.nextInt(4);
            long lowest = lowestOpen.merge(client, (long) random.nextInt(2), Long::sum);
            long number = lowest + random.nextInt(10);
            WriteId id = write(client, number, lowest);
            open.keySet().removeIf(known -> known.client() == client && known.number() < lowest);
            WriteId key = write(client, number, 0);
            Optional<WriteResult> found = outcomes.find(id);
            assertThat(found).isEqualTo(Optional.ofNullable(open.get(key)).map(WriteResult::applied));
            if (found.isEmpty()) {
                add(outcomes, id, i);
                open.put(key, (long) i);
            }
        }
        assertThat(outcomes.size()).isGreaterThanOrEqualTo(open.size());
    }
}
