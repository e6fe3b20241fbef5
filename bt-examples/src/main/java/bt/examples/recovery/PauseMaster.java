package bt.examples.recovery;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import bt.examples.cluster.HeldLock;
import bt.examples.cluster.JavaProcess;
import bt.model.GcRule;
import bt.model.TableSchema;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/**
 * SIGSTOP to the master, while another stands by: its connections stay, and its session ends. A table is created at once, of which the
 * one that hangs is asked first, and dropped by the next one. Woken, the first must end by itself, and not do what it was asked for.
 */
final class PauseMaster implements Event {
    private static final String TABLE = "created-while-it-hangs";
    private static final long END_MILLIS = 20_000;

    @Override
    public Filling prepare(Scene scene) {
        return Filling.none();
    }

    @Override
    public void strike(Scene scene) throws IOException, InterruptedException {
        JavaProcess master = scene.cluster().rulingMaster();
        master.pause();
        TableSchema draft = TableSchema.draft(TABLE)
                .family(TrialTable.FAMILY, GcRule.KEEP_ALL)
                .build();
        scene.cluster().bigtable().admin().createTable(draft, List.of());
        scene.cluster().bigtable().admin().dropTable(TABLE);
        HeldLock next = lock(scene, scene.cluster().rulingMaster());
        master.resume();
        scene.awaitEnd(master, END_MILLIS, "though another rules");
        if (!scene.cluster().isHeld(next)) {
            throw new UnavailableException("who ruled had to go when the master before it woke", Outcome.UNKNOWN);
        }
        if (scene.cluster().bigtable().admin().table(TABLE).isPresent()) {
            throw new UnavailableException(
                    "a master that was followed has created the table " + TABLE, Outcome.UNKNOWN);
        }
    }

    private static HeldLock lock(Scene scene, JavaProcess master) throws BigtableException {
        Optional<HeldLock> lock = scene.cluster().lockOf(master);
        return lock.orElseThrow(() -> new UnavailableException(master.name() + " rules no more", Outcome.UNKNOWN));
    }

    @Override
    public void restore(Scene scene) throws IOException, InterruptedException {
        scene.cluster().makeWhole();
    }
}
