package bt.examples.bench;

import bt.command.UsageException;
import bt.examples.paper.Baseline;
import bt.examples.paper.Load;
import bt.examples.paper.OwnSite;
import bt.examples.paper.OwnSite.Room;
import bt.examples.paper.Workload;
import bt.model.TableSchema.Durability;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** What {@code bt bench paper} is to measure, and at what; a mixin. All bounds are judged before anything is started. */
final class PaperOptions {
    private static final long LEAST_ROWS = 100;

    /** With {@link #MOST_SERVERS} as many as row keys have digits for. */
    private static final long MOST_ROWS = 1_000_000_000;

    private static final int MOST_CALLERS = 1_000;
    private static final int MOST_PROCESSES = 100;
    private static final int MOST_SERVERS = 10;
    private static final long MOST_RATE = 10_000_000;
    private static final double MOST_WARM_UP_SECONDS = 3_600;

    /** Of a server's heap; the rest is for memtables and requests. */
    private static final long MOST_BYTES_IN_HEAP = OwnSite.SERVER_HEAP_BYTES / 2;

    private static final long MOST_LOCAL_CACHE_BYTES = 1L << 40;
    private static final long ROW_BYTES = 1_050;

    /** Of memory that is to hold a table: files that are merged are there twice for a while, and of a block cache not all is for blocks. */
    private static final int ROOM_PER_BYTE = 2;

    private static final String BLOCK_CACHE = "5%";
    private static final long LOCAL_CACHE_BYTES = 4L << 30;

    @Option(
            names = "--rows",
            paramLabel = "N",
            defaultValue = "1000000",
            description =
                    "Rows for each tablet server (default: ${DEFAULT-VALUE}; a tenth of them for what is in memory).")
    private long rows;

    @Option(
            names = "--clients",
            paramLabel = "C",
            defaultValue = "16",
            description = "Callers in a client process, each waiting for its answer (default: ${DEFAULT-VALUE}).")
    private int callers;

    @Option(
            names = "--processes",
            paramLabel = "P",
            defaultValue = "1",
            description = "Client processes for each tablet server, as in the paper (default: ${DEFAULT-VALUE}).")
    private int processes;

    @Option(
            names = "--durability",
            paramLabel = "WHAT",
            defaultValue = "flush",
            description = "What an acknowledged write has survived: sync or flush (default: ${DEFAULT-VALUE}).")
    private String durability = "";

    @Option(
            names = "--rate",
            paramLabel = "N",
            description =
                    "So many operations of one row a second, of all callers together, each timed from when it was due;"
                            + " without scans and batches (default: as many as they can).")
    private long rate;

    @Option(names = "--minicluster", description = "At a cluster of its own.")
    private boolean miniCluster;

    @Option(
            names = "--servers",
            split = ",",
            paramLabel = "S",
            description =
                    "Tablet servers of --minicluster; of several numbers, one cluster after the other (default: 1).")
    private List<Integer> servers = List.of();

    @Option(
            names = "--block-cache",
            paramLabel = "SIZE",
            description = "What a server of --minicluster caches: bytes, or percent of its data (default: "
                    + BLOCK_CACHE + "%).")
    private @Nullable String blockCache;

    @Option(
            names = "--local-cache",
            paramLabel = "BYTES",
            description =
                    "What a server of --minicluster copies to its disk for reads and scans that do not say (tcp) or"
                            + " (mem) (default: " + LOCAL_CACHE_BYTES + ").")
    private @Nullable Long localCache;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            defaultValue = "10",
            description =
                    "How long a workload warms up at least, with a tenth of its rows again and again (default: ${DEFAULT-VALUE}).")
    private double warmUpSeconds;

    @Option(names = "--only", split = ",", paramLabel = "NAME", description = "Only these workloads, by their names.")
    private List<String> only = new ArrayList<>();

    void check() throws UsageException {
        within("--rows", rows, LEAST_ROWS, MOST_ROWS);
        within("--clients", callers, 1, MOST_CALLERS);
        within("--processes", processes, 1, MOST_PROCESSES);
        within("--rate", rate, 0, MOST_RATE);
        for (int count : servers) {
            within("--servers", count, 1, MOST_SERVERS);
        }
        if (!(warmUpSeconds >= 0 && warmUpSeconds <= MOST_WARM_UP_SECONDS)) {
            throw new UsageException(
                    String.format("bench paper: --warm-up %s", warmUpSeconds),
                    String.format("write seconds, 0 (one pass) to %.0f", MOST_WARM_UP_SECONDS));
        }
        if (!miniCluster && !(servers.isEmpty() && blockCache == null && localCache == null)) {
            throw new UsageException(
                    "bench paper: --servers, --block-cache and --local-cache say what --minicluster has;"
                            + " a cluster that runs has its own",
                    "leave them out");
        }
        Durability unused = durability();
        checkOnly();
        if (miniCluster) {
            checkRoom();
        }
    }

    private static void within(String option, long given, long least, long most) throws UsageException {
        if (given < least || given > most) {
            throw new UsageException(
                    String.format("bench paper: %s %d", option, given),
                    String.format("write a number from %d to %d", least, most));
        }
    }

    private void checkOnly() throws UsageException {
        for (String name : only) {
            if (Workload.find(name).isEmpty() && Baseline.find(name).isEmpty()) {
                throw new UsageException(
                        "bench paper: there is no workload " + name,
                        "name one of "
                                + Stream.concat(
                                                Arrays.stream(Workload.values()).map(Workload::label),
                                                Arrays.stream(Baseline.values()).map(Baseline::label))
                                        .collect(Collectors.joining(", ")));
            }
        }
        for (Baseline baseline : Baseline.values()) {
            String append = baseline.label();
            String follows = baseline.follows().label();
            if (baseline.isOfLogs() && only.contains(append) && !only.contains(follows)) {
                throw new UsageException(
                        "bench paper: " + append + " takes its rows per flush from " + follows,
                        "write --only \"" + follows + "," + append + "\"");
            }
        }
        if (Arrays.stream(Workload.values()).noneMatch(this::wants)
                && Arrays.stream(Baseline.values()).noneMatch(this::wants)) {
            throw new UsageException(
                    "bench paper: --rate " + rate + " is for operations of one row, and of " + String.join(", ", only)
                            + " there are none",
                    "leave it out");
        }
    }

    private void checkRoom() throws UsageException {
        long cache = cacheBytes();
        if (cache > MOST_BYTES_IN_HEAP) {
            throw new UsageException(
                    "bench paper: --block-cache " + blockCache + " of " + rows + " rows: " + cache
                            + " bytes, more than half of a server's heap",
                    "write " + MOST_BYTES_IN_HEAP + " at most");
        }
        within("--local-cache", localCacheBytes(), 0, MOST_LOCAL_CACHE_BYTES);
        for (Workload workload : Workload.values()) {
            if (wants(workload) && bytesInHeap(workload) > MOST_BYTES_IN_HEAP) {
                throw new UsageException(
                        "bench paper: --rows " + rows + ": " + workload.label() + " takes " + bytesInHeap(workload)
                                + " bytes of memory for them, more than half of a server's heap",
                        "write" + " fewer, or leave it out by --only");
            }
            if (wants(workload) && workload.isOfLocalCache() && localCacheBytes() == 0) {
                throw new UsageException(
                        "bench paper: --local-cache 0: " + workload.label() + " is measured with one",
                        "write --only with others");
            }
        }
    }

    private Durability durability() throws UsageException {
        return switch (durability) {
            case "sync" -> Durability.SYNC;
            case "flush" -> Durability.FLUSH;
            default -> throw new UsageException("bench paper: --durability " + durability, "write sync or flush");
        };
    }

    private long cacheBytes() throws UsageException {
        String size = blockCache == null ? BLOCK_CACHE : blockCache;
        boolean percent = size.matches("[0-9]{1,3}%");
        if (!percent && !size.matches("[0-9]{1,12}")) {
            throw new UsageException("bench paper: --block-cache " + size, "write bytes, or percent as 5%");
        }
        return percent
                ? rows * ROW_BYTES * Integer.parseInt(size.substring(0, size.length() - 1)) / 100
                : Long.parseLong(size);
    }

    /** What it has in memory of a server's rows. */
    private long bytesInHeap(Workload workload) {
        if (workload.isOfBlockCache()) {
            return ROOM_PER_BYTE * memoryBytes();
        }
        return workload.isInMemory() ? memoryBytes() : 0;
    }

    private long memoryBytes() {
        return rows * ROW_BYTES / Load.PART_IN_MEMORY;
    }

    private long localCacheBytes() {
        return localCache == null ? LOCAL_CACHE_BYTES : localCache;
    }

    boolean miniCluster() {
        return miniCluster;
    }

    /** Of {@code --minicluster}, one cluster after the other. */
    List<Integer> servers() {
        return servers.isEmpty() ? List.of(1) : servers;
    }

    Room room() throws UsageException {
        return new Room(cacheBytes(), ROOM_PER_BYTE * memoryBytes(), localCacheBytes());
    }

    /** For so many servers. */
    Load load(int count) throws UsageException {
        return new Load(rows * count, callers, processes * count, durability(), count, warmUpSeconds, rate);
    }

    boolean wants(Workload workload) {
        return isNamed(workload.label()) && (rate == 0 || workload.isOfOneRow());
    }

    boolean wants(Baseline baseline) {
        return isNamed(baseline.label()) && rate == 0;
    }

    private boolean isNamed(String name) {
        return only.isEmpty() || only.contains(name);
    }

    /** For reports, by the names of the options. */
    Map<String, Object> fields() throws UsageException {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("rows", rows);
        fields.put("clients", callers);
        fields.put("processes", processes);
        fields.put("durability", durability);
        fields.put("rate", rate);
        fields.put("warmUpSeconds", warmUpSeconds);
        fields.put("minicluster", miniCluster);
        if (miniCluster) {
            fields.put("blockCacheBytes", cacheBytes());
            fields.put("localCacheBytes", localCacheBytes());
        }
        return fields;
    }
}
