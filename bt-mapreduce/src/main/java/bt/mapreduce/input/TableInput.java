package bt.mapreduce.input;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.Bigtable;
import bt.client.ClientCodec;
import bt.client.Scan;
import bt.connect.Connect;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * What a job reads, as its configuration carries it from the submitting process to every task. Of the wrappers for
 * MapReduce of section 3 of the paper.
 */
public record TableInput(String cluster, String table, Scan scan) {
    static final String CLUSTER = "bt.mapreduce.input.cluster";
    static final String TABLE = "bt.mapreduce.input.table";
    static final String SCAN = "bt.mapreduce.input.scan";

    /** Into the configuration of a job, for {@link #of}. */
    public void writeTo(Configuration job) {
        job.set(CLUSTER, cluster);
        job.set(TABLE, table);
        job.set(SCAN, ClientCodec.encode(scan).toHex());
    }

    /** What a job reads, for its mappers. REJECTED when a key is missing or holds what no {@link #writeTo} wrote. */
    public static TableInput of(Configuration job) throws BigtableException {
        return new TableInput(value(job, CLUSTER), value(job, TABLE), scan(value(job, SCAN)));
    }

    /**
     * The cluster, to be closed: as who runs the job, also where all containers of YARN are processes of the node manager's
     * user. REJECTED and UNAVAILABLE as {@link Connect#to(String)}.
     */
    public Bigtable open() throws IOException {
        return Connect.to(cluster, UserGroupInformation.getCurrentUser().getShortUserName());
    }

    private static Scan scan(String digits) throws BigtableException {
        Bytes encoded;
        try {
            encoded = Bytes.hex(digits);
        } catch (IllegalArgumentException odd) {
            throw new RejectedException(
                    SCAN + ": not an even number of hexadecimal digits", "have TableJob.read set it");
        }
        return ClientCodec.decodeScan(SCAN, encoded);
    }

    private static String value(Configuration job, String key) throws RejectedException {
        String value = job.get(key);
        if (value == null) {
            throw new RejectedException(key + " is not set", "name the table with TableJob.read");
        }
        return value;
    }
}
