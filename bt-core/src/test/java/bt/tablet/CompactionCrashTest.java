package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.FencedException;
import bt.record.TabletState;
import bt.testing.SeededTest;
import java.util.Random;
import java.util.random.RandomGenerator;

/**
 * Of the files and METADATA's state a crash leaves the old ones or the new, at whichever file operation of a compaction the
 * process dies, and whatever it had not synced is lost.
 */
class CompactionCrashTest {
    @SeededTest(runs = 3)
    void aMinorCompaction(RandomGenerator random) throws Exception {
        crashAtEveryStep(random.nextLong(), fixture -> {
            fixture.freeze();
            fixture.compact();
        });
    }

    @SeededTest(runs = 4)
    void aMergingCompactionOfTheMemtableAndFiles(RandomGenerator random) throws Exception {
        long plans = random.nextLong();
        crashAtEveryStep(random.nextLong(), fixture -> {
            fixture.freeze();
            fixture.compactWithFiles(new Random(plans));
        });
    }

    @SeededTest(runs = 3)
    void aMergingCompactionOfFiles(RandomGenerator random) throws Exception {
        long plans = random.nextLong();
        crashAtEveryStep(random.nextLong(), fixture -> fixture.compactFiles(new Random(plans)));
    }

    @SeededTest(runs = 3)
    void aMajorCompaction(RandomGenerator random) throws Exception {
        crashAtEveryStep(random.nextLong(), fixture -> {
            CompactionPlan first = fixture.tablet.compactions().planMajor().get(0);
            fixture.compactFiles(first, fixture.sequence());
        });
    }

    private interface Work {
        void run(TabletFixture fixture) throws Exception;
    }

    private static void crashAtEveryStep(long seed, Work work) throws Exception {
        TabletFixture whole = filled(seed);
        TabletState before = TabletState.newBuilder(whole.state).build();
        work.run(whole);
        TabletState after = whole.state;
        assertThat(after).as("there was something to do").isNotEqualTo(before);
        boolean leftOld = false;
        boolean leftNew = false;
        boolean crashed = true;
        for (int operation = 0; crashed; operation++) {
            TabletFixture fixture = filled(seed);
            fixture.crashAfter(operation);
            try {
                work.run(fixture);
            } catch (FencedException crash) {
                leftOld |= fixture.state.equals(before);
                leftNew |= fixture.state.equals(after);
            }
            crashed = fixture.hasCrashed();
            if (operation == 0 && !crashed) {
                // Of a file that was in memory nothing is left: there is no step to crash at.
                assertThat(after.getFiles()).hasSizeLessThan(before.getFiles().size());
                return;
            }
            assertThat(fixture.state).isIn(before, after);
            fixture.restart();
            CheckedRead.all(fixture);
        }
        assertThat(leftOld).as("a crash before METADATA was told").isTrue();
        assertThat(leftNew).as("and one after").isTrue();
    }

    /** Six files a group, or nearly, and changes that are in no file. */
    private static TabletFixture filled(long seed) throws Exception {
        RandomTable table = new RandomTable(new Random(seed));
        TabletFixture fixture = new TabletFixture(RandomTable.schema(4));
        for (int i = 0; i < 18; i++) {
            fixture.apply(table.mutation());
            if (i % 3 == 0) {
                fixture.flush();
            }
        }
        return fixture;
    }
}
