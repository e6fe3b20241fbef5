package bt.mapreduce;

import bt.base.Bytes;
import bt.model.Row;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Counters;
import org.apache.hadoop.mapreduce.Mapper;

/** Counts each row that it gets, by its name: for jobs over a few rows. */
final class SeenRows extends Mapper<Bytes, Row, NullWritable, NullWritable> {
    private static final String GROUP = "rows";

    @Override
    protected void map(Bytes key, Row row, Context context) {
        context.getCounter(GROUP, key.toString()).increment(1);
    }

    /** As often as they were seen, in their order. */
    static List<Bytes> of(Counters counters) {
        List<Bytes> rows = new ArrayList<>();
        for (Counter row : counters.getGroup(GROUP)) {
            rows.addAll(Collections.nCopies((int) row.getValue(), Bytes.parse(row.getName())));
        }
        Collections.sort(rows);
        return rows;
    }
}
