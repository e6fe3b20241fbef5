package bt.coord.zookeeper;

import bt.coord.LockService;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.zookeeper.WatchedEvent;
import org.apache.zookeeper.Watcher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A running watch. However many changes come while it waits to tell, it tells once. */
final class FileWatch implements LockService.Watch, Watcher {
    private static final Logger LOG = LoggerFactory.getLogger(FileWatch.class);

    private final Sessions sessions;
    private final String path;
    private final Runnable changed;
    private final AtomicBoolean due = new AtomicBoolean();
    private volatile boolean closed;

    FileWatch(Sessions sessions, String path, Runnable changed) {
        this.sessions = sessions;
        this.path = path;
        this.changed = changed;
    }

    String path() {
        return path;
    }

    @Override
    public void process(WatchedEvent event) {
        switch (event.getType()) {
            case NodeCreated, NodeDeleted, NodeDataChanged, NodeChildrenChanged -> tell();
            case None -> {
                // Back from a time without connection, in which anything may have changed.
                if (event.getState() == Event.KeeperState.SyncConnected) {
                    tell();
                }
            }
            default -> {
                // The watch's own end.
            }
        }
    }

    void tell() {
        if (!due.getAndSet(true)) {
            sessions.tell(this::run);
        }
    }

    private void run() {
        // First, so that a change during the call is told again.
        due.set(false);
        if (closed) {
            return;
        }
        try {
            changed.run();
        } catch (RuntimeException bug) {
            LOG.error("{}: the watch's owner failed; it hears of the next change", path, bug);
        }
    }

    @Override
    public void close() {
        closed = true;
        sessions.forget(this);
    }
}
