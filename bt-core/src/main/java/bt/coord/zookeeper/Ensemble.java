package bt.coord.zookeeper;

import static bt.base.Check.checkArgument;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Clock;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.data.ACL;

/** Where ZooKeeper is, which directory of it is ours, how long we wait for it, and what we show it if there is a secret. */
record Ensemble(String quorum, String cluster, int sessionTimeoutMillis, Optional<Secret> secret) {
    static final String CLUSTERS = "/bt/";

    /** Of all clusters, whatever their secrets. */
    private static final String SHARED = "/bt";

    Ensemble {
        checkArgument(!quorum.isEmpty(), "the quorum is empty, not host:port,...");
        checkArgument(!cluster.isEmpty() && cluster.indexOf('/') < 0, "\"%s\" is not the name of a cluster", cluster);
        checkArgument(sessionTimeoutMillis > 0, "a session of %d ms", sessionTimeoutMillis);
    }

    /** A little less than a session lasts: who waits for a lock's renewal hears before the lock can be another's. */
    long operationMillis() {
        return sessionTimeoutMillis * 9L / 10;
    }

    long deadlineNanos() {
        return Clock.system().nanos() + TimeUnit.MILLISECONDS.toNanos(operationMillis());
    }

    /** The path in ZooKeeper of a path in the cluster's directory. */
    String absolute(String path) {
        checkArgument(!path.isEmpty() && path.charAt(0) != '/', "\"%s\" is not relative to the cluster", path);
        return directory() + "/" + path;
    }

    /** The cluster's own. */
    String directory() {
        return CLUSTERS + cluster;
    }

    /** With which rights files are created. */
    List<ACL> acl() {
        return Acls.of(secret);
    }

    /** The same of a file, or of a directory that leads to it. */
    List<ACL> aclOf(String absolute) {
        return absolute.equals(SHARED) ? Acls.OPEN : acl();
    }

    /** As ZooKeeper has versions; REJECTED for what is none: to it -1 is any version, to us no version. */
    int version(String absolute, long version) throws RejectedException {
        if (version < 0 || version > Integer.MAX_VALUE) {
            throw new RejectedException(
                    subject(absolute) + ": no file has version " + version,
                    "read it again, and write to the version that it has");
        }
        return (int) version;
    }

    UnavailableException unavailable(String path, String fact, boolean mayBeDone) {
        return new UnavailableException(subject(path) + ": " + fact, mayBeDone ? Outcome.UNKNOWN : Outcome.NOT_APPLIED);
    }

    /** What ZooKeeper did not do, unless it did it before, when the connection was lost. */
    BigtableException refused(String path, String fact, Reply<?> reply) {
        return reply.repeated()
                ? unavailable(path, fact + ", perhaps by this very call, whose first answer was lost: read again", true)
                : new RejectedException(subject(path) + ": " + fact, "read again what is there");
    }

    String subject(String path) {
        return "ZooKeeper at " + quorum + ", " + (path.isEmpty() ? directory() : path);
    }
}
