package bt.examples.chaos;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Admin;
import bt.examples.cluster.JavaProcess;
import java.io.IOException;
import java.util.List;

/**
 * No fault, but what goes wrong while others happen: tablets of all tables are flushed, moved, split and merged by an operator, one
 * after the other until the time is over, whoever answers.
 */
final class Reshape implements Fault {
    private static final List<String> TABLES = List.of(Load.REGISTERS, Load.BANK, Load.COUNTERS, Load.CHAINS);
    private static final long PAUSE_MILLIS = 300;

    private volatile boolean over;
    private volatile boolean acted;

    @Override
    public String begin(Stage stage, Strike strike) {
        stage.cluster().scheduler().start("operator", () -> {
            for (int i = strike.roll() % 1_000; !over; i++) {
                try {
                    act(stage, i);
                    acted = true;
                } catch (BigtableException refused) {
                    // Whoever reshapes under fire is refused now and then.
                }
                stage.cluster().scheduler().pause(PAUSE_MILLIS);
            }
        });
        return "tablets are flushed, moved, split and merged";
    }

    private static void act(Stage stage, int number) throws BigtableException {
        Admin admin = stage.cluster().bigtable().admin();
        String table = TABLES.get(number % TABLES.size());
        Bytes row = Bytes.utf8(Load.prefix(number / 4 % Load.registerTablets()) + "-0");
        switch (number % 4) {
            case 0 -> admin.flush(table);
            case 1 -> {
                List<JavaProcess> servers = stage.cluster().servers();
                admin.moveTablet(table, row, stage.cluster().addressOf(servers.get(number / 4 % servers.size())));
            }
            case 2 -> admin.splitTablet(table, row);
            default -> admin.mergeTablets(table, Bytes.utf8(Load.prefix(0)), Bytes.utf8(Load.prefix(3)));
        }
    }

    /** One of them was done. */
    @Override
    public boolean isFelt(Stage stage) {
        return acted;
    }

    @Override
    public void end(Stage stage) throws IOException {
        over = true;
    }
}
