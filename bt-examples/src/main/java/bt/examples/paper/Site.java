package bt.examples.paper;

import java.io.IOException;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;

/** A cluster that is measured. One thread. */
public sealed interface Site extends AutoCloseable permits OwnSite, GivenSite {
    /** What {@link bt.connect.Connect#to} wants. */
    String address();

    /** The processes of tablet servers that run on this machine. */
    List<Long> servers() throws IOException;

    /** The same of datanodes that those write to, as far as they can be seen. */
    List<Long> datanodes() throws IOException;

    /** How its servers reach the file system below, where that is not others' too. */
    Optional<Configuration> hdfs();

    /** Where its servers are to have blocks; false where that is not ours to say. */
    boolean read(Below below) throws IOException, InterruptedException;

    /** What it wrote stays. */
    @Override
    void close();
}
