package bt.examples.bench;

import bt.base.Bytes;
import bt.base.DirectoryTree;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.examples.demo.CrawlPages;
import bt.fs.local.LocalFileStore;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import picocli.CommandLine.Mixin;

/** {@code bt bench codecs}. */
@picocli.CommandLine.Command(
        name = "codecs",
        description = {
            "Every codec over the 5,710 web pages of the demo's crawl, pages of one site adjacent: each is written to an SSTable"
                    + " with blocks of 64 KB, and read again from the first to the last.",
            "ratio: bytes of pages / bytes of data blocks and the file's dictionary. MB/s: of pages, per second of the one"
                    + " thread's CPU time; with everything that is done to an SSTable, so that none tells what that is without a codec.",
            "The first time, Maven fetches the pages."
        },
        footerHeading = Command.EXAMPLES,
        footer = {"  bt bench codecs"})
public final class CodecsCommand implements Command {
    static final List<String> CODECS = List.of("none", "lz4", "zstd", "zstd-dict", "two-pass");

    private static final int WARM_UPS = 2;
    private static final int ROUNDS = 5;

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
        Machine machine = Machine.here();
        invocation.err().println(machine);
        Path own = directory.create("codecs");
        Path log = own.resolve("maven.log");
        try {
            SortedMap<Bytes, Bytes> pages =
                    CrawlPages.fetch(log, note -> invocation.err().println(note));
            LocalFileStore store = LocalFileStore.open(own.resolve("files"));
            output.write(new Report("codecs", machine, measure(pages, store, invocation)), invocation);
        } finally {
            DirectoryTree.delete(own);
        }
        return ExitCode.DONE;
    }

    /** All codecs in turn round by round, so that what disturbs the machine disturbs all. */
    private static List<Result> measure(SortedMap<Bytes, Bytes> pages, LocalFileStore store, Invocation invocation)
            throws Exception {
        List<CodecTrial> trials = CODECS.stream()
                .map(codec -> new CodecTrial(codec, pages, store))
                .toList();
        for (int round = 0; round < WARM_UPS + ROUNDS; round++) {
            invocation.err().println("round " + (round + 1) + " of " + (WARM_UPS + ROUNDS));
            for (CodecTrial trial : trials) {
                trial.run(round >= WARM_UPS);
            }
        }
        List<Result> results = new ArrayList<>();
        trials.forEach(trial -> results.add(trial.result()));
        return results;
    }
}
