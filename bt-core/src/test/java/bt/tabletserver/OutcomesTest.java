package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.model.RowRange;
import bt.model.TabletId;
import bt.protocol.Caller;
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
    private static final TabletId TABLET = new TabletId(1, Optional.empty());

    private static final Bytes ROW = Bytes.utf8("r");
    private static final Caller ADA = new Caller("ada", "10.0.0.1:4711", 0);
    private static final Caller MALLORY = new Caller("mallory", "10.0.0.2:4711", 0);

    private final Outcomes outcomes = new Outcomes();

    private static Clock at(long micros) {
        return new Clock() {
            @Override
            public long micros() {
                return micros;
            }

            @Override
            public long nanos() {
                return 1_000 * micros;
            }
        };
    }

    private static WriteId write(long client, long number, long lowestOpen) {
        return new WriteId(client, number, lowestOpen);
    }

    private static void add(Outcomes to, WriteId id, long result) {
        to.add(1, open(id, result, 0));
    }

    private static OpenWrite open(WriteId id, long result, long micros) {
        OpenWrite.Author author = new OpenWrite.Author(id.client(), id.number(), id.lowestOpen());
        return new OpenWrite(ROW, id.number(), author, result, micros);
    }

    private static void assertUnknown(Optional<WriteResult> found) {
        BigtableException failure = found.orElseThrow().failure().orElseThrow();
        // So nobody sends it again.
        assertThat(failure).isInstanceOf(RejectedException.class);
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
        Outcomes few = new Outcomes(3 * 201, 10, 10);
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
    void beyondTheBoundOfClientsTheOneSilentForLongestIsForgottenAndUnknown() {
        Outcomes few = new Outcomes(10 * 201, 2, 10);
        add(few, write(1, 1, 1), 11);
        add(few, write(2, 1, 1), 21);
        assertThat(few.find(write(1, 1, 1))).isPresent();
        add(few, write(3, 1, 1), 31);
        assertThat(few.find(write(1, 1, 1))).contains(WriteResult.applied(11));
        assertUnknown(few.find(write(2, 1, 1)));
        assertThat(few.find(write(2, 2, 1))).isEmpty();
        assertThat(few.size()).isEqualTo(2);
        add(few, write(2, 2, 1), 22);
        assertThat(few.find(write(2, 2, 1))).contains(WriteResult.applied(22));
        assertUnknown(few.find(write(2, 1, 1)));
    }

    @Test
    void whatOneClientPushesOutOfAnotherIsUnknownAndNeverNew() {
        Outcomes few = new Outcomes(3 * 201, 10, 10);
        add(few, write(1, 1, 1), 11);
        for (long number = 1; number <= 20; number++) {
            add(few, write(2, number, 1), number);
        }
        assertUnknown(few.find(write(1, 1, 1)));
        assertThat(few.find(write(1, 2, 1))).isEmpty();
    }

    /** Or one who asks for nothing bad, from a host of many clients, would have others' retries applied once more. */
    @Test
    void clientsOfOneHostPushNoneOfAnotherOut() throws Exception {
        Outcomes few = new Outcomes(1_000 * 201, 3, 100);
        few.add(ADA, 1, open(write(1, 1, 1), 11, 0));
        for (int client = 2; client <= 50; client++) {
            few.checkRoom(write(client, 1, 1), ROW, MALLORY, at(0));
            few.add(MALLORY, 1, open(write(client, 1, 1), client, 0));
        }
        assertThat(few.find(write(1, 1, 1))).contains(WriteResult.applied(11));
        assertUnknown(few.find(write(40, 1, 1)));
        assertThat(few.find(write(50, 1, 1))).contains(WriteResult.applied(50));
    }

    @Test
    void openWritesOfOneHostPushNoneOfAnotherOut() {
        Outcomes few = new Outcomes(10 * 201, 10, 10);
        for (int number = 1; number <= 4; number++) {
            few.add(ADA, 1, open(write(1, number, 1), number, 0));
        }
        for (int number = 1; number <= 50; number++) {
            few.add(MALLORY, 1, open(write(2, number, 1), number, 0));
        }
        for (int number = 1; number <= 4; number++) {
            assertThat(few.find(write(1, number, 1))).contains(WriteResult.applied(number));
        }
        assertThat(few.size()).isEqualTo(10);
    }

    /** One that comes from another host than before is of that from then on. */
    @Test
    void aClientIsOfTheHostThatItWroteFromLast() {
        Outcomes few = new Outcomes(1_000 * 201, 3, 100);
        few.add(1, open(write(1, 1, 1), 11, 0));
        few.add(MALLORY, 1, open(write(1, 2, 1), 12, 0));
        few.add(ADA, 1, open(write(1, 3, 1), 13, 0));
        for (int client = 2; client <= 50; client++) {
            few.add(MALLORY, 1, open(write(client, 1, 1), client, 0));
        }
        assertThat(few.find(write(1, 1, 1))).contains(WriteResult.applied(11));
        assertThat(few.find(write(1, 3, 1))).contains(WriteResult.applied(13));
    }

    @Test
    void whoBringsAsManyClientsAsThereIsRoomLeftBringsNoMoreForTenMinutes() throws Exception {
        Outcomes few = new Outcomes(1_000 * 201, 4, 16);
        int taken = 0;
        while (mayBringOne(few, MALLORY, 100 + taken, 0)) {
            few.add(MALLORY, 1, open(write(100 + taken, 1, 1), 0, 0));
            taken++;
        }
        assertThat(taken).isEqualTo(10);
        // Those that are known go on, and others' come.
        few.checkRoom(write(100, 2, 1), ROW, MALLORY, at(0));
        few.checkRoom(write(109, 2, 1), ROW, MALLORY, at(0));
        for (int client = 1; client <= 5; client++) {
            few.checkRoom(write(client, 1, 1), ROW, ADA, at(0));
            few.add(ADA, 1, open(write(client, 1, 1), client, 0));
        }
        assertThat(mayBringOne(few, ADA, 6, 0)).isFalse();
        for (int client = 1; client <= 5; client++) {
            assertThat(few.find(write(client, 1, 1))).isPresent();
        }
        for (int client = 100; client < 110; client++) {
            assertThat(few.find(write(client, 1, 1))).isPresent();
        }
        assertThat(mayBringOne(few, MALLORY, 110, OpenWrite.KEPT_MICROS - 1)).isFalse();
        assertThat(mayBringOne(few, MALLORY, 110, OpenWrite.KEPT_MICROS + 1_000_000))
                .isTrue();
    }

    private static boolean mayBringOne(Outcomes outcomes, Caller caller, long client, long nowMicros) {
        try {
            outcomes.checkRoom(write(client, 1, 1), ROW, caller, at(nowMicros));
            return true;
        } catch (OverloadedException noRoom) {
            return false;
        }
    }

    /** Of known clients too: what they lose of each table travels with it, and has its place. */
    @Test
    void whoHasLostAsManyWritesAsThereIsRoomLeftWritesNoMoreWhereOneMoreWouldBeLost() throws Exception {
        // As much as ten writes hold, and a little more.
        Outcomes few = new Outcomes(10 * 201 + 7, 100, 8);
        few.add(ADA, 1, open(write(1, 1, 1), 11, 0));
        int taken = 0;
        for (long table = 1; mayBringOne(few, MALLORY, 2, 0); table++) {
            few.add(MALLORY, table, open(write(2, table, 1), table, 0));
            taken++;
            assertThat(taken).isLessThan(100);
        }
        // Nine have room, and of as many as half of eight are lost all is known that has to be.
        assertThat(taken).isEqualTo(9 + 4);
        few.checkRoom(write(1, 2, 2), ROW, ADA, at(0));
        assertThat(few.find(write(1, 1, 1))).contains(WriteResult.applied(11));
    }

    /** Or, where a server that had lost many dies, nobody could write to the next one for ten minutes. */
    @Test
    void whatTabletsBringThatAnotherHadToForgetTakesNoPlaceOfThoseWhoWrite() throws Exception {
        Outcomes few = new Outcomes(10 * 201 + 7, 100, 8);
        for (int client = 100; client < 112; client++) {
            few.add(1, open(write(client, 1, 1), 0, 0).lost());
        }
        few.add(ADA, 1, open(write(1, 1, 1), 11, 0));
        for (long table = 1; table <= 13; table++) {
            assertThat(mayBringOne(few, ADA, 1, 0)).as("table %d", table).isTrue();
            few.add(ADA, table, open(write(1, 1 + table, 1), table, 0));
        }
    }

    /** What tablets bring that come is bounded too. */
    @Test
    void ofClientsBeyondAllBoundsNothingIsKept() {
        Outcomes few = new Outcomes(10 * 201, 1, 1);
        for (int client = 1; client <= 4; client++) {
            add(few, write(client, 1, 1), client);
        }
        assertThat(few.find(write(1, 1, 1))).isEmpty();
        assertUnknown(few.find(write(2, 1, 1)));
        assertUnknown(few.find(write(3, 1, 1)));
        assertThat(few.find(write(4, 1, 1))).contains(WriteResult.applied(4));
    }

    @Test
    void whatWasForgottenIsUnknownToWhoTakesOver() {
        Outcomes few = new Outcomes(2 * 201, 10, 10);
        add(few, write(1, 1, 1), 11);
        add(few, write(1, 2, 1), 12);
        add(few, write(1, 3, 1), 13);
        for (OpenWrite open : few.openIn(TABLET, RowRange.ALL, 0)) {
            outcomes.add(1, open);
        }
        assertUnknown(outcomes.find(write(1, 1, 1)));
        assertThat(outcomes.find(write(1, 3, 1))).contains(WriteResult.applied(13));
        Outcomes another = new Outcomes();
        Outcomes none = new Outcomes(2 * 201, 1, 10);
        add(none, write(1, 1, 1), 11);
        add(none, write(2, 1, 1), 21);
        another.addAll(none);
        assertUnknown(another.find(write(1, 1, 1)));
        assertThat(another.find(write(2, 1, 1))).contains(WriteResult.applied(21));
    }

    @Test
    void ofAClientOfWhichALogHadTooMuchTheNumberIsTakenOver() {
        Outcomes replayed = new Outcomes(2 * 201, 10, 10);
        add(replayed, write(1, 7, 1), 17);
        add(replayed, write(2, 1, 1), 21);
        add(replayed, write(2, 2, 1), 22);
        outcomes.addAll(replayed);
        assertUnknown(outcomes.find(write(1, 7, 1)));
        assertThat(outcomes.find(write(1, 8, 1))).isEmpty();
        assertThat(outcomes.find(write(2, 2, 1))).contains(WriteResult.applied(22));
    }

    @Test
    void aClientOfWhichNothingIsOpenAnyMoreTravelsWithTheTablesTablets() {
        Outcomes few = new Outcomes(10 * 201, 1, 10);
        add(few, write(1, 6, 6), 16);
        add(few, write(1, 7, 6), 17);
        add(few, write(2, 1, 1), 21);
        assertThat(few.openIn(new TabletId(2, Optional.empty()), RowRange.ALL, 0))
                .isEmpty();
        assertThat(few.openIn(TABLET, RowRange.ALL, OpenWrite.KEPT_MICROS)).isEmpty();
        for (OpenWrite open : few.openIn(TABLET, RowRange.row(Bytes.utf8("other")), 0)) {
            outcomes.add(1, open);
        }
        assertUnknown(outcomes.find(write(1, 6, 6)));
        assertUnknown(outcomes.find(write(1, 7, 6)));
        assertThat(outcomes.find(write(1, 8, 6))).isEmpty();
        assertThat(outcomes.find(write(2, 1, 1))).isEmpty();
        // And on from there.
        assertThat(outcomes.openIn(TABLET, RowRange.ALL, 0)).singleElement().matches(OpenWrite::isLost);
    }

    @Test
    void whatIsKnownHereStaysKnownThoughAnotherHadToForgetLaterWrites() {
        add(outcomes, write(1, 5, 4), 1000);
        outcomes.add(1, open(write(1, 9, 4), 9, 0).lost());
        assertThat(outcomes.find(write(1, 5, 4))).contains(WriteResult.applied(1000));
        assertUnknown(outcomes.find(write(1, 6, 4)));
        add(outcomes, write(1, 7, 4), 1001);
        assertThat(outcomes.find(write(1, 7, 4))).contains(WriteResult.applied(1001));
        assertUnknown(outcomes.find(write(1, 6, 6)));
        assertUnknown(outcomes.find(write(1, 5, 5)));
    }

    /** Or whoever writes with long row keys, and under ever new names, would fill the memory with what is forgotten. */
    @Test
    void ofALostWriteNoRowIsKept() {
        Outcomes few = new Outcomes(10 * 201, 1, 10);
        OpenWrite.Author author = new OpenWrite.Author(1, 1, 1);
        few.add(1, new OpenWrite(Bytes.utf8("r".repeat(60_000)), 3, author, 0, 0));
        add(few, write(2, 1, 1), 21);
        assertThat(few.openIn(TABLET, RowRange.ALL, 0))
                .filteredOn(OpenWrite::isLost)
                .containsExactly(OpenWrite.lost(1, 1, 0));
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
