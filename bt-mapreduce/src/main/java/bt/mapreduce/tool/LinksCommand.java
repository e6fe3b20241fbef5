package bt.mapreduce.tool;

import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import bt.model.ColumnKey;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.mapreduce.Counter;
import org.apache.hadoop.mapreduce.Job;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code bt links}. Exit code 4 when a row is missing. */
@picocli.CommandLine.Command(
        name = "links",
        description =
                "Counts, as a MapReduce job, the rows of a table that others name in a column and that are missing.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt links webtable anchor:next", "  bt links webtable anchor:next --reducers 4"})
public final class LinksCommand implements Command {
    @Parameters(index = "0", paramLabel = "TABLE")
    private String table = "";

    @Parameters(
            index = "1",
            paramLabel = "FAMILY:QUALIFIER",
            description = "Its newest value is the key of another row.")
    private String column = "";

    @Option(names = "--reducers", paramLabel = "N", description = "How many tasks compare; default: 1.")
    private int reducers = 1;

    @Override
    public Group group() {
        return Group.DEVELOPMENT;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        if (reducers < 1) {
            throw new UsageException("links: --reducers is " + reducers, "write 1 or more");
        }
        Job job = LinkCheck.job(new Configuration(), invocation.setting("at"), table, ColumnKey.parse(column));
        job.setNumReduceTasks(reducers);
        if (!job.waitForCompletion(false)) {
            throw new UnavailableException(
                    "job " + job.getJobID() + " failed: " + job.getStatus().getFailureInfo(), Outcome.NOT_APPLIED);
        }
        long missing = LinkCheck.count(job, LinkCount.MISSING);
        String format = invocation.json()
                ? "{\"rows\": %d, \"links\": %d, \"missing\": %d}%n"
                : "%d rows, %d links, %d missing%n";
        invocation
                .out()
                .printf(
                        Locale.ROOT,
                        format,
                        LinkCheck.count(job, LinkCount.ROWS),
                        LinkCheck.count(job, LinkCount.LINKS),
                        missing);
        for (Counter row : job.getCounters().getGroup(LinkCheck.MISSING_ROWS)) {
            invocation.err().println("missing: " + row.getName() + ", named by " + row.getValue());
        }
        return missing == 0 ? ExitCode.DONE : ExitCode.CORRUPTION;
    }
}
