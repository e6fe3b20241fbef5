package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.master.Merges.Wish;
import bt.metadata.MetadataRow;
import bt.metadata.TabletStates;
import bt.model.RowRange;
import bt.model.TabletId;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MergeStepsTest {
    private static final Wish ALL = new Wish(4, RowRange.closed(row(0), row(999)));

    private final MergeSteps steps = new MergeSteps();

    /** What is made of fifty is larger than a tablet may be, and split when the last have had their turn. */
    @Test
    void tabletsThatSplitAsOftenAsTheyAreMergedAreNotMergedForEver() {
        assertThat(turns(200)).isEqualTo(4);
        assertThat(turns(120)).as("fewer: most of what they are is small").isEqualTo(3);
        steps.read(tablets(110));
        assertThat(steps.tablets(ALL)).hasSize(110);
        assertThat(steps.isChosen(ALL)).isFalse();
    }

    @Test
    void thoseOfWhichHalfAreMergedInARoundGoOn() {
        assertThat(turns(400)).isEqualTo(8);
        assertThat(turns(200)).isEqualTo(4);
        assertThat(turns(100)).isEqualTo(2);
        steps.read(tablets(50));
        assertThat(steps.tablets(ALL)).hasSize(50);
        assertThat(steps.isChosen(ALL)).isTrue();
    }

    /** How many steps there are until all of so many have had their turn, whatever became of them. */
    private int turns(int tablets) {
        steps.read(tablets(tablets));
        int turns = 0;
        List<MetadataRow> step;
        do {
            step = steps.tablets(ALL);
            assertThat(steps.isChosen(ALL)).isTrue();
            steps.passed(ALL, step.get(step.size() - 1).id());
            turns++;
        } while (!step.get(step.size() - 1).id().endRow().equals(Optional.of(row(tablets - 1))));
        return turns;
    }

    private static List<MetadataRow> tablets(int many) {
        List<MetadataRow> rows = new ArrayList<>();
        Optional<Bytes> previous = Optional.empty();
        for (int i = 0; i < many; i++) {
            TabletId id = new TabletId(4, Optional.of(row(i)));
            rows.add(new MetadataRow(id, 1, 1, TabletStates.unassigned(), TabletStates.empty(previous)));
            previous = id.endRow();
        }
        return rows;
    }

    private static Bytes row(int number) {
        return Bytes.utf8("%04d".formatted(number));
    }
}
