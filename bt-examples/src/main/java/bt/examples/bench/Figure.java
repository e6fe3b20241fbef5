package bt.examples.bench;

/** A number that a bench may find, with its name in JSON and how its column of the printed table is headed. */
public enum Figure {
    CALLERS("callers", "callers", 0),
    SERVERS("servers", "servers", 0),
    OPS_PER_SECOND("opsPerSecond", "ops/s", 0),
    MB_PER_SECOND("mbPerSecond", "MB/s", 1),
    P50_MICROS("p50Micros", "p50 µs", 1),
    P99_MICROS("p99Micros", "p99 µs", 1),
    P999_MICROS("p999Micros", "p999 µs", 1),
    MAX_MICROS("maxMicros", "max µs", 1),
    ROWS_PER_BATCH("rowsPerBatch", "rows/batch", 1),
    FLUSHES("flushes", "flushes", 0),
    MERGES("merges", "merges", 0),
    LOG_MB("logMb", "log MB", 1),
    PART_IN_LOCAL_CACHE("partInLocalCache", "local part", 2),
    LOCAL_HIT_PART("localHitPart", "local hits", 2),
    OPS_PER_SERVER_CPU_SECOND("opsPerServerCpuSecond", "ops/server s", 0),
    OPS_PER_CPU_SECOND("opsPerCpuSecond", "ops/CPU s", 0),
    CPU_MICROS_PER_OP("cpuMicrosPerOp", "CPU µs/op", 2),
    BYTES_ALLOCATED_PER_OP("bytesAllocatedPerOp", "B/op alloc.", 0),
    CLIENT_CPU("clientCpuSecondsPerMillionOps", "client CPU", 2),
    SERVER_CPU("serverCpuSecondsPerMillionOps", "server CPU", 2),
    DATANODE_CPU("datanodeCpuSecondsPerMillionOps", "datanode CPU", 2),
    DATANODE_BYTES_OUT("datanodeBytesOutPerOp", "datanode out", 0),
    CLIENT_BYTES_ALLOCATED("clientBytesAllocatedPerOp", "client B/op", 0),
    SERVER_BYTES_ALLOCATED("serverBytesAllocatedPerOp", "server B/op", 0),
    CLIENT_GC_MILLIS("clientGcMillis", "client GC ms", 0),
    SERVER_GC_MILLIS("serverGcMillis", "server GC ms", 0),
    PAPER_OPS_PER_SECOND("paperOpsPerSecond", "paper ops/s", 0),
    MILLIS("millis", "ms", 0),
    ROUND_TRIPS_PER_OP("roundTripsPerOp", "trips/op", 2),
    HEAP_BYTES_PER_TABLET("heapBytesPerTablet", "heap B/tablet", 0),
    METADATA_BYTES_PER_TABLET("metadataBytesPerTablet", "METADATA B", 0),
    METADATA_MEMORY_BYTES_PER_TABLET("metadataMemoryBytesPerTablet", "METADATA memory B", 0),
    TABLETS("tablets", "tablets", 0),
    METADATA_ROWS_READ("metadataRowsRead", "METADATA rows", 0),
    METADATA_DISK_BYTES_PER_TABLET("metadataDiskBytesPerTablet", "METADATA disk B", 0),
    RATIO("ratio", "ratio", 2),
    ENCODE_MB_PER_SECOND("encodeMbPerSecond", "encode MB/s", 0),
    DECODE_MB_PER_SECOND("decodeMbPerSecond", "decode MB/s", 0),
    MEDIAN_MILLIS("medianMillis", "median ms", 0),
    MAX_MILLIS("maxMillis", "max ms", 0),
    MEDIAN_OPERATION_MILLIS("medianOperationMillis", "op. median ms", 0),
    MAX_OPERATION_MILLIS("maxOperationMillis", "op. max ms", 0),
    LOST_WRITES("lostWrites", "lost writes", 0),
    RUNS("runs", "runs", 0);

    private final String json;
    private final String heading;
    private final int decimals;

    Figure(String json, String heading, int decimals) {
        this.json = json;
        this.heading = heading;
        this.decimals = decimals;
    }

    String json() {
        return json;
    }

    String heading() {
        return heading;
    }

    int decimals() {
        return decimals;
    }
}
