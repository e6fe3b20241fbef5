package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Scheduler.WorkerPool;
import bt.base.ThreadScheduler;
import bt.base.UnavailableException;
import bt.model.TabletId;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** METADATA at two servers, of which one fails; one writer at a time. */
class RowWritesTest {
    private static final int ROWS = 20;

    private final ThreadScheduler scheduler = new ThreadScheduler();
    private final WorkerPool writer = scheduler.pool("writer", 1, RowWrites.MOST_UNDER_WAY);

    @AfterEach
    void stop() {
        writer.close();
        scheduler.close();
    }

    @Test
    void aServerOfMetadataThatFailsIsAskedOnceAndKeepsNoRowOfAnotherFromBeingWritten() throws Exception {
        RowWrites writes = new RowWrites(scheduler, writer, id -> id.tableId() == 1 ? "fails" : "works");
        Set<TabletId> tried = ConcurrentHashMap.newKeySet();
        for (int i = 0; i < ROWS; i++) {
            Optional<Bytes> end = Optional.of(Bytes.utf8("row " + i));
            TabletId failing = new TabletId(1, end);
            writes.begin(failing, () -> {
                tried.add(failing);
                throw new UnavailableException(failing + ": a test", Outcome.NOT_APPLIED);
            });
            TabletId working = new TabletId(2, end);
            writes.begin(working, () -> tried.add(working));
        }
        assertThat(writes.finish().keySet()).hasSize(ROWS).allMatch(id -> id.tableId() == 1);
        assertThat(tried).filteredOn(id -> id.tableId() == 1).hasSize(1);
        assertThat(tried).filteredOn(id -> id.tableId() == 2).hasSize(ROWS);
    }
}
