package bt.examples.demo;

import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import java.io.IOException;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskCounter;

/** A job from its submission to its end. */
final class RunningJob {
    private static final long MINUTES = 4;
    private static final long PAUSE_MILLIS = 250;
    private static final int HUNDRED = 100;

    private final Job job;
    private final Scheduler scheduler;

    RunningJob(Job job, Scheduler scheduler) {
        this.job = job;
        this.scheduler = scheduler;
    }

    /** What is done now and then while the job runs. */
    @FunctionalInterface
    interface Meanwhile {
        /** Is told how far the mappers are, 0 to 1. */
        void at(double progress) throws IOException, InterruptedException;
    }

    /** Submits and waits; how many records the mappers were given. UNAVAILABLE when the job fails. */
    long run(Bar bar, Meanwhile meanwhile) throws IOException, InterruptedException, ClassNotFoundException {
        job.submit();
        bar.note(job.getJobID().toString());
        Deadline deadline = Deadline.after(scheduler.clock(), MINUTES * 60_000);
        while (!job.isComplete()) {
            bar.at((long) (HUNDRED * job.mapProgress()), HUNDRED);
            meanwhile.at(job.mapProgress());
            if (deadline.isOver()) {
                job.killJob();
                throw failed("runs for more than " + MINUTES + " minutes");
            }
            scheduler.pause(PAUSE_MILLIS);
        }
        if (!job.isSuccessful()) {
            throw failed(String.valueOf(job.getStatus().getFailureInfo()).strip());
        }
        bar.at(HUNDRED, HUNDRED);
        return job.getCounters().findCounter(TaskCounter.MAP_INPUT_RECORDS).getValue();
    }

    private UnavailableException failed(String why) {
        return new UnavailableException(
                "job " + job.getJobName() + ", " + job.getJobID() + ": " + why, Outcome.UNKNOWN);
    }
}
