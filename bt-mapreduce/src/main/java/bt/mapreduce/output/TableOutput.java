package bt.mapreduce.output;

import bt.base.RejectedException;
import bt.client.Bigtable;
import bt.connect.Connect;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Where a job writes, as its configuration carries it from the submitting process to every task. Of the wrappers for
 * MapReduce of section 3 of the paper.
 */
public record TableOutput(String cluster, String table) {
    static final String CLUSTER = "bt.mapreduce.output.cluster";
    static final String TABLE = "bt.mapreduce.output.table";

    /** Into the configuration of a job, for its tasks. */
    public void writeTo(Configuration job) {
        job.set(CLUSTER, cluster);
        job.set(TABLE, table);
    }

    /** REJECTED when a key is missing. */
    static TableOutput of(Configuration job) throws RejectedException {
        return new TableOutput(value(job, CLUSTER), value(job, TABLE));
    }

    /** As who runs the job, also where all containers of YARN are processes of the node manager's user. */
    Bigtable open() throws IOException {
        return Connect.to(cluster, UserGroupInformation.getCurrentUser().getShortUserName());
    }

    private static String value(Configuration job, String key) throws RejectedException {
        String value = job.get(key);
        if (value == null) {
            throw new RejectedException(key + " is not set", "name the table with TableJob.write");
        }
        return value;
    }
}
