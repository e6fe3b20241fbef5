package bt.fs.hadoop;

import bt.base.Clock;
import java.util.List;
import org.apache.hadoop.hdfs.DFSOutputStream;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.jspecify.annotations.Nullable;

/** The datanodes that a file is written to, and since when its writer waits for them. The writer tells, any thread asks. */
final class Pipeline {
    private final Clock clock;
    private volatile List<DatanodeInfo> datanodes = List.of();
    private volatile @Nullable Long waitsSinceNanos;

    Pipeline(Clock clock) {
        this.clock = clock;
    }

    void begin() {
        waitsSinceNanos = clock.nanos();
    }

    void end() {
        waitsSinceNanos = null;
    }

    /**
     * Remembers them. The stream is asked by its writer, and before it is needed: while the writer waits, the stream may be
     * locked.
     */
    void see(HdfsDataOutputStream out) {
        if (out.getWrappedStream() instanceof DFSOutputStream stream) {
            DatanodeInfo[] seen = stream.getPipeline();
            // Between two blocks there is none.
            if (seen != null) {
                see(List.of(seen));
            }
        }
    }

    void see(List<DatanodeInfo> seen) {
        if (!datanodes.equals(seen)) {
            datanodes = seen;
        }
    }

    /** Those of the last flush; none before the first. */
    List<DatanodeInfo> datanodes() {
        return datanodes;
    }

    boolean isLate(long millis) {
        Long since = waitsSinceNanos;
        return since != null && clock.nanos() - since > millis * 1_000_000;
    }
}
