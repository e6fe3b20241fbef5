package bt.examples.recovery;

import bt.model.GcRule;
import bt.model.TableSchema;
import java.io.IOException;
import java.util.List;

/** SIGKILL to the master, while another stands by; a table is created at once, which the next master has to do. */
final class KillMaster implements Event {
    private static final String TABLE = "created-meanwhile";

    @Override
    public Filling prepare(Scene scene) {
        return Filling.none();
    }

    @Override
    public void strike(Scene scene) throws IOException, InterruptedException {
        scene.cluster().killMaster();
        TableSchema draft = TableSchema.draft(TABLE)
                .family(TrialTable.FAMILY, GcRule.KEEP_ALL)
                .build();
        scene.cluster().bigtable().admin().createTable(draft, List.of());
    }

    @Override
    public void restore(Scene scene) throws IOException, InterruptedException {
        scene.cluster().bigtable().admin().dropTable(TABLE);
        scene.cluster().makeWhole();
    }
}
