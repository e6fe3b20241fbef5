package bt.mapreduce;

import bt.base.Bytes;
import bt.client.Scan;
import bt.connect.Connect;
import bt.model.Cell;
import bt.model.Row;
import bt.model.RowMutation;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;

/** Copies a table through the shuffle, cell by cell with its timestamp. */
final class CopyMapper extends Mapper<Bytes, Row, Text, RowMutation> {
    /** What the tasks found out about their class path. */
    enum Fact {
        SYSTEM_CLASS_LOADER_KNOWS_BT,
        AVRO_IS_THE_SHIPPED_ONE
    }

    static Job job(Configuration hadoop, String cluster) throws IOException {
        Job job = Job.getInstance(hadoop, "copy");
        TableJob.of(job, cluster)
                .read("pages", Scan.all(), CopyMapper.class)
                .write("copy")
                .ship(CopyReducer.class);
        job.setReducerClass(CopyReducer.class);
        job.setMapOutputKeyClass(Text.class);
        job.setNumReduceTasks(1);
        return job;
    }

    @Override
    protected void setup(Context context) {
        ClassLoader system = ClassLoader.getSystemClassLoader();
        ClassLoader ours = Connect.class.getClassLoader();
        if (find("bt.connect.Connect", system).isPresent()) {
            context.getCounter(Fact.SYSTEM_CLASS_LOADER_KNOWS_BT).increment(1);
        }
        if (!find("org.apache.avro.Schema", ours).equals(find("org.apache.avro.Schema", system))) {
            context.getCounter(Fact.AVRO_IS_THE_SHIPPED_ONE).increment(1);
        }
    }

    @Override
    protected void map(Bytes key, Row row, Context context) throws IOException, InterruptedException {
        RowMutation.Builder copy = RowMutation.of(key);
        for (Cell cell : row.cells()) {
            copy.set(cell.column(), cell.timestamp(), cell.value());
        }
        context.write(new Text(key.toArray()), copy.build());
    }

    private static Optional<Class<?>> find(String name, ClassLoader loader) {
        try {
            return Optional.of(Class.forName(name, false, loader));
        } catch (ClassNotFoundException absent) {
            return Optional.empty();
        }
    }
}
