package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;

import bt.fs.FileStore;
import bt.record.FileReference;
import bt.testing.ManualClock;
import bt.testing.MemoryFileStore;
import java.util.List;
import org.junit.jupiter.api.Test;

class FileNamesTest {
    private final FileStore files = new MemoryFileStore(new ManualClock(1)).process("server");
    private final FileNames names = new FileNames(7);

    @Test
    void whatIsSettledReachesToTheOldestThatIsNot() throws Exception {
        assertThat(names.settled()).isZero();
        String first = names.next(files, 4);
        String second = names.next(files, 5);
        assertThat(List.of(first, second)).containsExactly("data/4/7/1", "data/5/7/2");
        assertThat(names.settled()).isZero();
        names.settle(List.of(reference(second)));
        assertThat(names.settled()).isZero();
        names.settle(List.of(reference(first)));
        assertThat(names.settled()).isEqualTo(2);
        names.next(files, 4);
        assertThat(names.settled()).isEqualTo(2);
    }

    @Test
    void filesOfOthersSettleNothing() throws Exception {
        names.next(files, 4);
        names.settle(List.of(reference("data/4/17/1"), reference("data/4/8/1"), reference("bulk/x")));
        assertThat(names.settled()).isZero();
    }

    private static FileReference reference(String path) {
        return FileReference.newBuilder()
                .setPath(path)
                .setBytes(1)
                .setFamilies(List.of(1))
                .setSmallestSequence(1)
                .setLargestSequence(1)
                .build();
    }
}
