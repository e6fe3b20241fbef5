package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.Regex;
import bt.sstable.ReadWork;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RegexWorkTest {
    private static final Regex REGEX = Regex.of("a+b");
    private static final long MILLISECOND = 1_000_000;

    private final Processor processor = new Processor();
    private final RegexWork work = new RegexWork(processor);

    @AfterEach
    void end() {
        ReadWork.ofThread().end();
    }

    @Test
    void whatTakesFiveSecondsOfTheProcessorIsRejected() throws BigtableException {
        // The first look is where it begins.
        for (int looks = 0; looks <= 5_000; looks++) {
            work(50_000, MILLISECOND);
        }
        assertThatThrownBy(() -> work(50_000, MILLISECOND))
                .isInstanceOf(RejectedException.class)
                .hasMessageStartingWith("regular expression a+b: more than 5000 ms of processor time");
    }

    /** Of a page that reads much: a step takes no more than 50 ns. */
    @Test
    void whatElseIsDoneBetweenTwoLooksDoesNotCount() throws BigtableException {
        for (int looks = 0; looks < 1_000; looks++) {
            work(50_000, 100 * MILLISECOND);
        }
        assertThat(work.takeSteps()).isEqualTo(50_000_000);
        assertThat(work.takeSteps()).isZero();
    }

    @Test
    void withEveryLookItIsAskedWhetherAnybodyWaits() throws BigtableException {
        ReadWork.ofThread()
                .begin(
                        new ReadWork.Terms() {
                            private int asked;

                            @Override
                            public long more() throws BigtableException {
                                if (++asked == 3) {
                                    throw new UnavailableException("nobody waits");
                                }
                                return 4_000;
                            }
                        },
                        4_000);
        work(50_000, MILLISECOND);
        work(50_000, MILLISECOND);
        assertThatThrownBy(() -> work(50_000, MILLISECOND)).isInstanceOf(UnavailableException.class);
    }

    private void work(long steps, long nanos) throws BigtableException {
        processor.nanos += nanos;
        work.worked(REGEX, steps);
    }
}
