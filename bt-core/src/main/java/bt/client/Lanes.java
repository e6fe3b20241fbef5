package bt.client;

import bt.base.Deadline;
import bt.model.TableSchema;
import java.util.ArrayList;
import java.util.List;

/** The threads of a batch writer, to each of which some rows fall. Any thread. */
final class Lanes implements Closing.Threads {
    private final List<Lane> lanes = new ArrayList<>();

    Lanes(Session session, TableSchema table, Room room, Failed failed) {
        for (int i = 0; i < session.options().batchRequests(); i++) {
            Writes writes = new Writes(session, table, session.pace());
            lanes.add(new Lane("bt-batch-" + table.name() + "-" + i, writes, session, room, failed));
        }
    }

    void add(BatchedWrite write) {
        lanes.get(Math.floorMod(write.write().row().hashCode(), lanes.size())).add(write);
    }

    /** What they hold fails. */
    @Override
    public void stop() {
        lanes.forEach(Lane::stop);
    }

    @Override
    public void awaitEnd(Deadline farewell) throws InterruptedException {
        for (Lane lane : lanes) {
            lane.awaitEnd(farewell);
        }
    }
}
