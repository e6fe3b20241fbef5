package bt.examples.chaos;

import bt.base.BigtableException;
import bt.model.Quotas;
import java.util.OptionalLong;

/** The table of chains reaches its quota: what is written to it is refused, and nothing else is. */
final class TableQuota implements Fault {
    private static final int ATTEMPTS = 3;

    @Override
    public String begin(Stage stage, Strike strike) throws BigtableException {
        set(stage, OptionalLong.of(1));
        return Load.CHAINS + " may take 1 byte";
    }

    @Override
    public void end(Stage stage) throws BigtableException {
        for (int attempt = 1; ; attempt++) {
            try {
                set(stage, OptionalLong.empty());
                return;
            } catch (BigtableException failed) {
                if (attempt == ATTEMPTS) {
                    throw failed;
                }
            }
        }
    }

    private static void set(Stage stage, OptionalLong bytes) throws BigtableException {
        stage.cluster().bigtable().admin().alterTable(Load.CHAINS, table -> table.change()
                .quotas(quotas -> bytes.isPresent() ? quotas.table(bytes) : Quotas.NONE)
                .build());
    }
}
