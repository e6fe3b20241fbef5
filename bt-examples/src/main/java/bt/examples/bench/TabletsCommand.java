package bt.examples.bench;

import bt.base.DirectoryTree;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bt bench tablets}. */
@picocli.CommandLine.Command(
        name = "tablets",
        description = {
            "What a cluster costs as its tablets grow in number: start of a master, assignment, look-up of locations, memory.",
            "Master, ZooKeeper and METADATA are real; the tablets are at simulated servers, which open no files."
        },
        footerHeading = Command.EXAMPLES,
        footer = {"  bt bench tablets"})
public final class TabletsCommand implements Command {
    private static final int MOST = 1_000_000;

    @Option(
            names = "--tablets",
            split = ",",
            paramLabel = "N",
            description = "How many, one cluster after the other (default: 1000,10000,100000).")
    private List<Integer> tablets = List.of(1_000, 10_000, 100_000);

    @Option(
            names = "--servers",
            paramLabel = "N",
            defaultValue = "20",
            description = {
                "Simulated servers (default: ${DEFAULT-VALUE}).",
                "With 0 all tablets are at a real one: what they take of its heap is measured."
            })
    private int servers = 20;

    @Mixin
    private BenchDirectory directory = new BenchDirectory();

    @Mixin
    private ReportOutput output = new ReportOutput();

    @Override
    public Group group() {
        return Group.DEVELOPMENT;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        output.check(invocation);
        if (servers < 0 || tablets.stream().anyMatch(count -> count < 1 || count > MOST)) {
            throw new UsageException("bench tablets", "name 1 to " + MOST + " tablets");
        }
        Machine machine = Machine.here();
        invocation.err().println(machine);
        List<Result> results = new ArrayList<>();
        for (int count : tablets) {
            invocation.err().println(count + " tablets at " + servers + " servers");
            Path own = directory.create("tablets");
            try (TabletsTrial trial = new TabletsTrial(own, count)) {
                results.addAll(trial.run(servers));
            } finally {
                DirectoryTree.delete(own);
            }
        }
        output.write(new Report("tablets", machine, results), invocation);
        return ExitCode.DONE;
    }
}
