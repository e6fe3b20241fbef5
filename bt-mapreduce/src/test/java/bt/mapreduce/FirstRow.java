package bt.mapreduce;

import bt.client.Bigtable;
import bt.client.Scan;
import bt.client.Scanner;
import bt.connect.Connect;
import java.util.concurrent.Callable;

/** Reads the key of a table's first row: a client that a test can load with a class path of its own choice. */
public final class FirstRow implements Callable<String> {
    private final String cluster;
    private final String table;

    public FirstRow(String cluster, String table) {
        this.cluster = cluster;
        this.table = table;
    }

    @Override
    public String call() throws Exception {
        try (Bigtable bigtable = Connect.to(cluster);
                Scanner rows = bigtable.table(table).scan(Scan.all())) {
            return rows.next().orElseThrow().key().toString();
        }
    }
}
