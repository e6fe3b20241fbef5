package bt.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.BigtableException.Kind;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.RejectedException;
import bt.base.Retry;
import bt.base.UnavailableException;
import bt.model.TabletId;
import bt.protocol.WriteId;
import bt.testing.SimScheduler;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A change of a METADATA row that is answered, where nobody can look afterwards what is there. */
class RowWriterTest {
    private static final MetadataRow WANTED = new MetadataRow(
            new TabletId(4, Optional.of(Bytes.utf8("m"))),
            8,
            1,
            TabletStates.unassigned(),
            TabletStates.empty(Optional.empty()));
    private static final RowChange CHANGE =
            new RowChange(WANTED, Optional.of(7L), RowEvent.of("test"), new WriteId(1, 1, 1), 1);

    private final SimScheduler scheduler = new SimScheduler(1);

    @ParameterizedTest
    @EnumSource(names = {"UNAVAILABLE", "CORRUPTION"})
    void whatWasRefusedWasNotAppliedThoughALookFails(Kind kind) {
        failsWith(
                new Blind(new RejectedException("generation is 9", "ask for another"), kind),
                kind,
                Outcome.NOT_APPLIED);
    }

    @ParameterizedTest
    @EnumSource(names = {"UNAVAILABLE", "CORRUPTION"})
    void whatHadNoAnswerMayHaveBeenApplied(Kind kind) {
        failsWith(new Blind(new UnavailableException("no answer"), kind), kind, Outcome.UNKNOWN);
    }

    private void failsWith(RowHome home, Kind kind, Outcome outcome) {
        scheduler.run(Duration.ofMinutes(1), () -> {
            Retry retry = new Retry(scheduler, scheduler.random("retry"), 10_000);
            assertThatThrownBy(() -> new RowWriter(home, retry).write(CHANGE))
                    .isInstanceOfSatisfying(BigtableException.class, failure -> {
                        assertThat(failure.kind()).isEqualTo(kind);
                        assertThat(failure.outcome()).isEqualTo(outcome);
                    });
        });
    }

    /** Answers every write alike, and no look. */
    private record Blind(BigtableException ofWrite, Kind ofRead) implements RowHome {
        @Override
        public Optional<MetadataRow> read(TabletId id, Deadline deadline) throws BigtableException {
            throw BigtableException.of(ofRead, "no look", Outcome.UNKNOWN, 0);
        }

        @Override
        public void write(RowChange change, Deadline deadline) throws BigtableException {
            throw ofWrite;
        }
    }
}
