package bt.mapreduce.output;

import org.apache.hadoop.mapreduce.JobContext;
import org.apache.hadoop.mapreduce.OutputCommitter;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** For output that is in its place when the task that made it ends. */
final class NothingToCommit extends OutputCommitter {
    @Override
    public void setupJob(JobContext job) {}

    @Override
    public void setupTask(TaskAttemptContext task) {}

    @Override
    public boolean needsTaskCommit(TaskAttemptContext task) {
        return false;
    }

    @Override
    public void commitTask(TaskAttemptContext task) {}

    @Override
    public void abortTask(TaskAttemptContext task) {}

    /** A second application master need not run again what succeeded under the first. */
    @Override
    public boolean isRecoverySupported(JobContext job) {
        return true;
    }

    @Override
    public void recoverTask(TaskAttemptContext task) {}
}
