package bt.examples.demo;

import bt.base.Bytes;
import bt.client.Bigtable;
import bt.client.Scan;
import bt.client.Scanner;
import bt.mapreduce.input.TableInput;
import bt.model.Row;
import bt.model.RowMutation;
import java.io.IOException;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapreduce.Mapper;

/** Every link of a page to another page of the table becomes an anchor in the row it leads to. */
public final class LinksMapper extends Mapper<Bytes, Row, NullWritable, RowMutation> {
    private final Set<String> rows = new HashSet<>();

    /** Which pages there are, the table knows: their titles are few bytes, stored apart from the pages. */
    @Override
    protected void setup(Context context) throws IOException {
        try (Bigtable bigtable = TableInput.of(context.getConfiguration()).open();
                Scanner titles = bigtable.table(Webtable.NAME).scan(Scan.all().family(Webtable.TITLE_FAMILY))) {
            for (Optional<Row> row = titles.next(); row.isPresent(); row = titles.next()) {
                rows.add(row.get().key().toUtf8());
            }
        }
    }

    @Override
    protected void map(Bytes key, Row page, Context context) throws IOException, InterruptedException {
        String source = key.toUtf8();
        String html = page.value(Webtable.CONTENTS).orElse(Bytes.EMPTY).toUtf8();
        long time = WebtableJobs.time(context.getConfiguration());
        for (Map.Entry<String, String> link :
                Links.of(Webtable.url(source), html).entrySet()) {
            String url = link.getKey();
            if (!url.startsWith("https://") || url.indexOf('/', "https://".length()) < 0) {
                continue;
            }
            String target = Webtable.row(url);
            if (rows.contains(target) && !target.equals(source)) {
                RowMutation anchor = RowMutation.of(target)
                        .set(Webtable.anchor(source), time, Bytes.utf8(link.getValue()))
                        .build();
                context.write(NullWritable.get(), anchor);
            }
        }
    }
}
