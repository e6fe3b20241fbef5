package bt.mapreduce.output;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.RejectedException;
import bt.client.Admin;
import bt.main.MiniBigtable;
import bt.model.GcRule;
import bt.model.Right;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.testing.LimitCases;
import java.security.PrivilegedExceptionAction;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.RecordWriter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;
import org.apache.hadoop.mapreduce.TaskAttemptID;
import org.apache.hadoop.mapreduce.task.TaskAttemptContextImpl;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What a task writes, to a whole cluster, as MapReduce has it written. */
class TableOutputFormatIT {
    private static MiniBigtable cluster;

    @BeforeAll
    static void start() throws Exception {
        cluster = MiniBigtable.start();
        cluster.bigtable().admin().createTable(LimitCases.TABLE, List.of());
    }

    @AfterAll
    static void stop() {
        cluster.close();
    }

    @Test
    void theLimitsAreThoseOfEveryDoor() throws Exception {
        LimitCases.check(LimitCases.small(), mutation -> isTaken("limits", mutation));
        LimitCases.check(LimitCases.large(), mutation -> isTaken("limits", mutation));
    }

    /** YARN without Kerberos runs every task as a process of the node manager's user, and MapReduce as its submitter. */
    @Test
    void aTaskIsTheUserWhoSubmittedItsJob() throws Exception {
        Admin admin = cluster.bigtable().admin();
        admin.alterAccess(list -> list.grant("ada", Right.OF_CLUSTERS));
        admin.createTable(
                TableSchema.draft("shared").family("f", GcRule.KEEP_ALL).build(), List.of());
        admin.alterTable("shared", now -> now.change()
                .grant("alice", Set.of(Right.WRITE), Optional.empty())
                .build());
        RowMutation mutation = RowMutation.of("r").set("f", "q", "v").build();
        as("alice", () -> {
            write("shared", mutation);
            return true;
        });
        assertThatThrownBy(() -> as("bob", () -> {
                    write("shared", mutation);
                    return true;
                }))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("user bob has not the right write");
        assertThat(cluster.bigtable().table("shared").read(mutation.row())).isPresent();
    }

    private static boolean isTaken(String table, RowMutation mutation) throws Exception {
        try {
            write(table, mutation);
            return true;
        } catch (RejectedException refused) {
            return false;
        }
    }

    /** A task with one mutation. */
    private static void write(String table, RowMutation mutation) throws Exception {
        Configuration job = new Configuration(false);
        new TableOutput(cluster.at(), table).writeTo(job);
        TaskAttemptContext task = new TaskAttemptContextImpl(job, new TaskAttemptID());
        RecordWriter<NullWritable, RowMutation> writer = new TableOutputFormat<NullWritable>().getRecordWriter(task);
        try {
            writer.write(NullWritable.get(), mutation);
        } finally {
            writer.close(task);
        }
    }

    private static <T> T as(String user, PrivilegedExceptionAction<T> action) throws Exception {
        return UserGroupInformation.createRemoteUser(user).doAs(action);
    }
}
