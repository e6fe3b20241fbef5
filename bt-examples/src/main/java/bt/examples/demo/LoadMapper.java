package bt.examples.demo;

import bt.base.Bytes;
import bt.model.RowMutation;
import java.io.IOException;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Mapper;

/** A page becomes a row of the Webtable. */
public final class LoadMapper extends Mapper<Text, BytesWritable, NullWritable, RowMutation> {
    @Override
    protected void map(Text url, BytesWritable html, Context context) throws IOException, InterruptedException {
        Bytes contents = Bytes.wrap(html.copyBytes());
        PageHead head = PageHead.of(contents.toUtf8());
        long time = WebtableJobs.time(context.getConfiguration());
        RowMutation page = RowMutation.of(Webtable.row(url.toString()))
                .set(Webtable.CONTENTS, time, contents)
                .set(Webtable.LANGUAGE, time, Bytes.utf8(head.language()))
                .set(Webtable.TITLE, time, Bytes.utf8(head.title()))
                .build();
        context.write(NullWritable.get(), page);
    }
}
