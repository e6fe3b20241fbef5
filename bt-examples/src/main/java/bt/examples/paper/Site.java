package bt.examples.paper;

import java.io.IOException;
import java.util.List;

/** A cluster that is measured. One thread. */
public sealed interface Site extends AutoCloseable permits OwnSite, GivenSite {
    /** What {@link bt.connect.Connect#to} wants. */
    String address();

    /** The processes of tablet servers that run on this machine. */
    List<Long> servers() throws IOException;

    /** The same of datanodes, where they are known. */
    List<Long> datanodes();

    /** Has its servers keep a local cache of blocks or none; false where that is not ours to say. */
    boolean useLocalCache(boolean wanted) throws IOException, InterruptedException;

    /** What it wrote stays. */
    @Override
    void close();
}
