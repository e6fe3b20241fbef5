package bt.mapreduce;

import bt.model.RowMutation;
import java.io.IOException;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Reducer;

/** Writes what it gets; its first attempt fails when it has written everything. */
final class CopyReducer extends Reducer<Text, RowMutation, NullWritable, RowMutation> {
    @Override
    protected void reduce(Text key, Iterable<RowMutation> mutations, Context context)
            throws IOException, InterruptedException {
        for (RowMutation mutation : mutations) {
            context.write(NullWritable.get(), mutation);
        }
    }

    @Override
    protected void cleanup(Context context) throws IOException {
        if (context.getTaskAttemptID().getId() == 0) {
            throw new IOException("as the test wants it");
        }
    }
}
