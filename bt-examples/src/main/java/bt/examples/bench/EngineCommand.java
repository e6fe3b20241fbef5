package bt.examples.bench;

import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code bt bench engine}. */
@picocli.CommandLine.Command(
        name = "engine",
        description = {
            "One tablet, without network, beside RocksDB: gets, scans, fills, flushes and compactions with the same keys,"
                    + " values, block size, codec and Bloom filter.",
            "Takes some ten minutes. Names end with the number of threads."
        },
        footerHeading = Command.EXAMPLES,
        footer = {"  bt bench engine --quick"})
public final class EngineCommand implements Command {
    private static final int BLOOM_BITS_PER_KEY = 10;
    private static final long CACHE_BYTES = 1L << 30;
    private static final long MEMTABLE_BYTES = 64L << 20;

    static final List<String> WORKLOADS = List.of(
            EngineReads.CACHED,
            EngineReads.ABSENT,
            EngineReads.DISK,
            EngineReads.SCAN,
            EngineWrites.FILL,
            EngineWrites.FILL_LOG,
            EngineWrites.FLUSH,
            EngineWrites.COMPACT);

    @Option(names = "--quick", description = "A look that takes under half a minute; the numbers are rough.")
    private boolean quick;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Only these workloads: get-cached, get-absent, get-disk, scan, fill, fill-log, flush, compact.")
    private List<String> only = new ArrayList<>();

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "How many rounds of each workload count (default: 15 of reads, 5 of writes).")
    private int measuredRounds;

    @Option(
            names = "--codec",
            paramLabel = "CODEC",
            defaultValue = "lz4",
            description = "What both compress blocks with: none, lz4, zstd (default: ${DEFAULT-VALUE}).")
    private String codec = "lz4";

    @Option(
            names = "--block-bytes",
            paramLabel = "N",
            defaultValue = "65536",
            description = "Bytes of a block before compression (default: ${DEFAULT-VALUE}).")
    private int blockBytes = 64 << 10;

    @Option(
            names = "--value-bytes",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Bytes of a value (default: ${DEFAULT-VALUE}).")
    private int valueBytes = 1000;

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
        for (String name : only) {
            if (!WORKLOADS.contains(name)) {
                throw new UsageException(
                        "bench engine: there is no workload " + name, "name one of " + String.join(", ", WORKLOADS));
            }
        }
        Machine machine = Machine.here();
        invocation.err().println(machine);
        Path own = directory.create("engine");
        try {
            Report report = new Report("engine", machine, measure(own, invocation));
            output.write(report, invocation);
        } finally {
            Files.delete(own);
        }
        return ExitCode.DONE;
    }

    private List<Result> measure(Path own, Invocation invocation) throws Exception {
        Sizing usual = quick ? Sizing.QUICK : Sizing.FULL;
        Sizing sizing = measuredRounds > 0 ? usual.withRounds(measuredRounds) : usual;
        Rounds rounds = new Rounds(
                name -> only.isEmpty() || only.contains(name),
                next -> invocation.err().println(next));
        Systems systems = new Systems(own);
        EngineOptions options =
                new EngineOptions(own, blockBytes, codec, BLOOM_BITS_PER_KEY, CACHE_BYTES, MEMTABLE_BYTES, false);
        new EngineReads(systems, sizing, rounds).run(options, valueBytes);
        new EngineWrites(systems, sizing, rounds, options).run(valueBytes);
        return rounds.results();
    }
}
