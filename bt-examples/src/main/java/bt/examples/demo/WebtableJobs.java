package bt.examples.demo;

import bt.client.Scan;
import bt.mapreduce.TableJob;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.jsoup.Jsoup;

/** The two MapReduce jobs. Neither has a reducer: what a mapper finds goes to the table's servers at once. */
final class WebtableJobs {
    private static final String TIME = "bt.demo.time";

    private final Configuration hadoop;
    private final String cluster;
    private final long timeMicros;

    /** All cells get one timestamp: so a task that runs twice writes the same cells again. */
    WebtableJobs(Configuration hadoop, String cluster, long timeMicros) {
        this.hadoop = hadoop;
        this.cluster = cluster;
        this.timeMicros = timeMicros;
    }

    static long time(Configuration job) {
        return job.getLong(TIME, 0);
    }

    /** Pages from the jars into the table. */
    Job load(List<SiteJar> sites, int sample) throws IOException {
        Path directory = new Path("/crawl");
        FileSystem files = FileSystem.get(hadoop);
        List<Path> jars = new ArrayList<>();
        for (SiteJar site : sites) {
            Path jar = new Path(directory, site.site().fileName());
            files.copyFromLocalFile(new Path(site.jar().toUri()), jar);
            jars.add(jar);
        }
        Job job = job("load pages");
        PagesInputFormat.read(job.getConfiguration(), jars, sample);
        job.setInputFormatClass(PagesInputFormat.class);
        job.setMapperClass(LoadMapper.class);
        TableJob.of(job, cluster).ship(LoadMapper.class, Jsoup.class).write(Webtable.NAME);
        return job;
    }

    /** Links out of the table's pages into their targets' rows. */
    Job links() throws IOException {
        Job job = job("find anchors");
        TableJob.of(job, cluster)
                .read(Webtable.NAME, Scan.all().family(Webtable.CONTENTS_FAMILY), LinksMapper.class)
                .ship(Jsoup.class)
                .write(Webtable.NAME);
        return job;
    }

    private Job job(String name) throws IOException {
        Job job = Job.getInstance(new Configuration(hadoop), name);
        job.getConfiguration().setLong(TIME, timeMicros);
        // Or Hadoop warns of words that nobody can say to this job.
        job.getConfiguration().setBoolean(Job.USED_GENERIC_PARSER, true);
        job.setJarByClass(WebtableJobs.class);
        job.setNumReduceTasks(0);
        return job;
    }
}
