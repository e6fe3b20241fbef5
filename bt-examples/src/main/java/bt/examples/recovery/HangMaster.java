package bt.examples.recovery;

import static java.util.Objects.requireNonNull;

import bt.examples.cluster.JavaProcess;
import bt.model.GcRule;
import bt.model.TableSchema;
import java.io.IOException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The one thread of the master stops for ever, by a debugger: the others go on, and keep its session, and with it its office. It
 * must notice, and end by itself; a table is created as soon as it has, which the next master has to do.
 */
final class HangMaster implements Event {
    private static final String TABLE = "created-after";
    private static final String THREAD = "master";
    private static final long END_MILLIS = 120_000;

    private @Nullable JavaProcess victim;

    /** Both are replaced by such that take a debugger: which of them rules then is chance. */
    @Override
    public Filling prepare(Scene scene) throws IOException, InterruptedException {
        for (JavaProcess master : scene.cluster().masters()) {
            master.kill();
        }
        scene.cluster().replaceMasters(Debugger.OPTIONS);
        scene.cluster().awaitWhole();
        victim = scene.cluster().rulingMaster();
        return Filling.none();
    }

    @Override
    public void strike(Scene scene) throws IOException, InterruptedException {
        JavaProcess hung = requireNonNull(victim, "prepare chooses it");
        Debugger.suspend(hung, THREAD);
        scene.awaitEnd(hung, END_MILLIS, "without its thread " + THREAD);
        TableSchema draft = TableSchema.draft(TABLE)
                .family(TrialTable.FAMILY, GcRule.KEEP_ALL)
                .build();
        scene.cluster().bigtable().admin().createTable(draft, List.of());
    }

    @Override
    public void restore(Scene scene) throws IOException, InterruptedException {
        scene.cluster().bigtable().admin().dropTable(TABLE);
        // It takes a debugger too; the one that follows it does not.
        scene.cluster().killMaster();
        scene.cluster().makeWhole();
    }
}
