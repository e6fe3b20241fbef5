package bt.mapreduce.tool;

import bt.base.Bytes;
import java.io.IOException;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Reducer;

/** Is told of each row whether it is there and who names it. */
final class LinkReducer extends Reducer<BytesWritable, BytesWritable, NullWritable, NullWritable> {
    /** Of all reducers: Hadoop keeps 120 counters of a job, its own among them. */
    private static final int MOST_NAMES = 40;

    private int left;

    @Override
    protected void setup(Context context) {
        int reducers = Math.max(1, context.getNumReduceTasks());
        int mine = context.getTaskAttemptID().getTaskID().getId();
        left = MOST_NAMES / reducers + (mine < MOST_NAMES % reducers ? 1 : 0);
    }

    @Override
    protected void reduce(BytesWritable key, Iterable<BytesWritable> who, Context context)
            throws IOException, InterruptedException {
        boolean isThere = false;
        long times = 0;
        for (BytesWritable each : who) {
            boolean says = each.equals(LinkMapper.THERE);
            isThere |= says;
            times += says ? 0 : 1;
        }
        context.getCounter(isThere ? LinkCount.ROWS : LinkCount.MISSING).increment(1);
        if (!isThere && left > 0) {
            left--;
            String name = Bytes.copyOf(key.getBytes(), 0, key.getLength()).toString();
            context.getCounter(LinkCheck.MISSING_ROWS, name).increment(times);
        }
    }
}
