package bt.mapreduce.tool;

import bt.base.Bytes;
import bt.model.ColumnKey;
import bt.model.Row;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.mapreduce.Mapper;

/** Says of each row that it is there, which is a name with nobody who says it, and which row it names. */
final class LinkMapper extends Mapper<Bytes, Row, BytesWritable, BytesWritable> {
    /** No row has this key. */
    static final BytesWritable THERE = new BytesWritable();

    private ColumnKey column = ColumnKey.of("unset", "");

    @Override
    protected void setup(Context context) {
        column = LinkCheck.column(context.getConfiguration());
    }

    @Override
    protected void map(Bytes key, Row row, Context context) throws IOException, InterruptedException {
        BytesWritable here = new BytesWritable(key.toArray());
        context.write(here, THERE);
        Optional<Bytes> named = row.value(column).filter(value -> !value.isEmpty());
        if (named.isPresent()) {
            context.getCounter(LinkCount.LINKS).increment(1);
            context.write(new BytesWritable(named.get().toArray()), here);
        }
    }
}
