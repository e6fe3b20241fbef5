package bt.examples.chaos;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Scheduler;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.model.ColumnKey;
import bt.model.Row;
import bt.model.RowMutation;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Lays a chain of rows with random keys of 128 bits through the key space: each names the one before, which was acknowledged before
 * it was written. A row that is named and is not there was lost. Its table may reach its quota.
 */
final class ChainChore implements Chore {
    static final int WRITERS = 3;
    private static final int PAUSE_MILLIS = 20;
    private static final ColumnKey PREVIOUS = ColumnKey.of(Register.FAMILY, "previous");
    private static final ColumnKey WRITER = ColumnKey.of(Register.FAMILY, "writer");
    private static final ColumnKey FILLING = ColumnKey.of(Register.FAMILY, "filling");
    private static final int FILLING_BYTES = 600;

    private final int writer;
    private final Table table;
    private final SplittableRandom random;
    private final Scheduler scheduler;
    private final Tally tally;
    private final Map<String, Answers.Outcome> written = new HashMap<>();
    private String last = "";

    ChainChore(int writer, Table table, SplittableRandom random, Scheduler scheduler, Tally tally) {
        this.writer = writer;
        this.table = table;
        this.random = random;
        this.scheduler = scheduler;
        this.tally = tally;
    }

    @Override
    public String name() {
        return "chain " + writer;
    }

    @Override
    public boolean step() throws InterruptedException {
        String key = String.format("%016x%016x", random.nextLong(), random.nextLong());
        byte[] filling = new byte[FILLING_BYTES];
        random.nextBytes(filling);
        RowMutation link = RowMutation.of(key)
                .set(PREVIOUS, 1, Bytes.utf8(last))
                .set(WRITER, 1, Bytes.utf8(Integer.toString(writer)))
                .set(FILLING, 1, Bytes.wrap(filling))
                .build();
        long begin = scheduler.clock().nanos();
        Answers.Outcome outcome =
                Answers.write("chain " + writer, () -> tally.mayBeRejected(begin), tally, () -> table.apply(link));
        written.put(key, outcome);
        if (outcome == Answers.Outcome.APPLIED) {
            last = key;
        }
        scheduler.pause(random.nextInt(PAUSE_MILLIS));
        return outcome == Answers.Outcome.APPLIED;
    }

    @Override
    public void check() throws BigtableException {
        Set<String> found = new HashSet<>();
        Set<String> named = new HashSet<>();
        try (Scanner scanner = table.scan(Scan.all())) {
            for (Optional<Row> row = scanner.next(); row.isPresent(); row = scanner.next()) {
                if (row.get().value(WRITER).equals(Optional.of(Bytes.utf8(Integer.toString(writer))))) {
                    found.add(row.get().key().toUtf8());
                    named.add(row.get().value(PREVIOUS).map(Bytes::toUtf8).orElse("a row without a name"));
                }
            }
        }
        named.remove("");
        named.stream()
                .filter(key -> !found.contains(key))
                .forEach(key -> tally.lost(name() + " row " + key + ", named"));
        written.forEach((key, outcome) -> {
            if (outcome == Answers.Outcome.APPLIED && !found.contains(key) && !named.contains(key)) {
                tally.lost(name() + " row " + key);
            } else if (outcome == Answers.Outcome.REFUSED && found.contains(key)) {
                tally.anomaly(name() + " row " + key + " was refused as not applied and is there");
            }
        });
        found.stream()
                .filter(key -> !written.containsKey(key))
                .forEach(key -> tally.anomaly(name() + " row " + key + " was written by nobody"));
    }
}
