package bt.examples.chaos;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.Table;
import bt.client.TabletInfo;
import bt.examples.cluster.JavaProcess;
import bt.metadata.MetadataKeys;
import bt.metadata.MetadataSchema;
import bt.model.RowRange;
import bt.model.TabletId;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * No fault, but what goes wrong while others happen: tablets of all tables, METADATA's too, are flushed, moved, split and merged by an
 * operator, one after the other until the time is over, whoever answers.
 */
final class Reshape implements Fault {
    private static final List<String> TABLES = List.of(Load.REGISTERS, Load.BANK, Load.COUNTERS, Load.CHAINS);
    private static final String METADATA = MetadataSchema.SCHEMA.name();
    private static final long PAUSE_MILLIS = 300;

    /** Of what was asked for, what was done. */
    private final Queue<Step> done = new ConcurrentLinkedQueue<>();

    private volatile boolean over;

    /** What an operator may do to a table. */
    enum Act {
        FLUSH,
        MOVE,
        SPLIT,
        MERGE
    }

    /** What is done to which table. */
    record Step(String table, Act act) {
        @Override
        public String toString() {
            return act.name().toLowerCase(Locale.ROOT) + " " + table;
        }
    }

    /** All there are, each once. */
    static List<Step> steps(Random random) {
        List<Step> steps = new ArrayList<>();
        for (String table : TABLES) {
            for (Act act : Act.values()) {
                steps.add(new Step(table, act));
            }
        }
        // Flushing and merging METADATA is not an operator's.
        steps.add(new Step(METADATA, Act.MOVE));
        steps.add(new Step(METADATA, Act.SPLIT));
        Collections.shuffle(steps, random);
        return steps;
    }

    @Override
    public String begin(Stage stage, Strike strike) {
        Random random = new Random(strike.roll());
        List<Step> steps = steps(random);
        stage.cluster().scheduler().start("operator", () -> {
            for (int i = 0; !over; i++) {
                Step step = steps.get(i % steps.size());
                try {
                    take(step, stage, random);
                    done.add(step);
                } catch (BigtableException refused) {
                    // Whoever reshapes under fire is refused now and then.
                }
                stage.cluster().scheduler().pause(PAUSE_MILLIS);
            }
        });
        return "tablets are flushed, moved, split and merged";
    }

    private static void take(Step step, Stage stage, Random random) throws BigtableException {
        Bigtable bigtable = stage.cluster().bigtable();
        Bytes row = Bytes.utf8(Load.prefix(random.nextInt(Load.registerTablets())) + "-0");
        boolean ofMetadata = step.table().equals(METADATA);
        switch (step.act()) {
            case FLUSH -> bigtable.admin().flush(step.table());
            case MOVE -> {
                List<JavaProcess> servers = stage.cluster().servers();
                JavaProcess target = servers.get(random.nextInt(servers.size()));
                bigtable.admin()
                        .moveTablet(
                                step.table(),
                                ofMetadata ? toMove(bigtable, row, random) : row,
                                stage.cluster().addressOf(target));
            }
            case SPLIT -> bigtable.admin().splitTablet(step.table(), ofMetadata ? toSplit(bigtable, row) : row);
            case MERGE ->
                bigtable.admin().mergeTablets(step.table(), Bytes.utf8(Load.prefix(0)), Bytes.utf8(Load.prefix(3)));
        }
    }

    /** The root tablet's every third time: who has nothing else has to find it. */
    private static Bytes toMove(Bigtable bigtable, Bytes row, Random random) throws BigtableException {
        return random.nextInt(3) == 0 ? MetadataKeys.of(MetadataSchema.LAST) : ofRegister(bigtable, row);
    }

    /** The row of METADATA of the tablet that has one of the registers: it splits behind such rows alone. */
    private static Bytes toSplit(Bigtable bigtable, Bytes row) throws BigtableException {
        Table registers = bigtable.table(Load.REGISTERS);
        RowRange rows = registers.tablets().stream()
                .map(TabletInfo::range)
                .filter(range -> range.contains(row))
                .findFirst()
                .orElseThrow();
        // A tablet's range ends before the successor of its last row.
        Optional<Bytes> last = rows.end().map(end -> end.slice(0, end.length() - 1));
        return MetadataKeys.of(new TabletId(registers.schema().id(), last));
    }

    /** The look-up key of METADATA of one of the registers. */
    private static Bytes ofRegister(Bigtable bigtable, Bytes row) throws BigtableException {
        return MetadataKeys.lookUp(bigtable.table(Load.REGISTERS).schema().id(), row);
    }

    /** One of them was done. */
    @Override
    public boolean isFelt(Stage stage) {
        return !done.isEmpty();
    }

    @Override
    public void end(Stage stage) throws IOException {
        over = true;
        List<String> taken = done.stream().map(Step::toString).toList();
        stage.journal().say("reshaped: " + String.join(", ", taken));
    }
}
