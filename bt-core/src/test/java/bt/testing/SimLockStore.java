package bt.testing;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.FencedException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.coord.SmallFile;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What the lock service holds: files by path, each with its owner if it is a lock. Every method is one transaction. */
final class SimLockStore {
    /** A file; whose session it dies with. */
    private record Node(SmallFile file, @Nullable SimSession owner) {}

    private final NavigableMap<String, Node> nodes = new TreeMap<>();
    private final SimScheduler scheduler;
    private final Consumer<String> changed;
    private long transactions;

    SimLockStore(SimScheduler scheduler, Consumer<String> changed) {
        this.scheduler = scheduler;
        this.changed = changed;
    }

    Optional<SmallFile> read(String path) {
        return Optional.ofNullable(nodes.get(path)).map(Node::file);
    }

    SmallFile create(String path, Bytes content) throws RejectedException {
        if (nodes.containsKey(path)) {
            throw new RejectedException(path + ": exists", "ask for another");
        }
        String parent = parent(path);
        if (!parent.isEmpty()) {
            Node above = nodes.get(parent);
            if (above == null) {
                create(parent, Bytes.EMPTY);
            } else if (above.owner() != null) {
                throw new RejectedException(path + ": nothing can be created below a lock", "ask for another");
            }
        }
        return put(path, content, null);
    }

    private SmallFile put(String path, Bytes content, @Nullable SimSession owner) {
        SmallFile file = new SmallFile(content, 0, ++transactions, nowMicros());
        nodes.put(path, new Node(file, owner));
        tell(path);
        return file;
    }

    SmallFile write(String path, Bytes content, long version) throws RejectedException {
        Node node = nodes.get(path);
        if (node == null) {
            throw new RejectedException(path + ": does not exist", "ask for another");
        }
        if (node.file().version() != version) {
            throw new RejectedException(path + ": is no longer version " + version, "ask for another");
        }
        transactions++;
        SmallFile written = new SmallFile(content, version + 1, node.file().createdTransaction(), nowMicros());
        nodes.put(path, new Node(written, node.owner()));
        changed.accept(path);
        return written;
    }

    void delete(String path) throws RejectedException {
        if (nodes.containsKey(path)) {
            if (!children(path).isEmpty()) {
                throw new RejectedException(path + ": has children", "ask for another");
            }
            remove(path);
        }
    }

    private void remove(String path) {
        transactions++;
        nodes.remove(path);
        tell(path);
    }

    List<String> children(String path) {
        String prefix = path + "/";
        List<String> names = new ArrayList<>();
        for (String other : nodes.tailMap(prefix).keySet()) {
            if (!other.startsWith(prefix)) {
                break;
            }
            if (other.indexOf('/', prefix.length()) < 0) {
                names.add(other.substring(prefix.length()));
            }
        }
        return List.copyOf(names);
    }

    /** The lock, now or already this session's. Empty: another's. */
    Optional<SmallFile> lock(String path, Bytes owner, SimSession session) throws BigtableException {
        Node node = nodes.get(path);
        if (node != null) {
            return node.owner() == session ? Optional.of(node.file()) : Optional.empty();
        }
        String parent = parent(path);
        if (!parent.isEmpty() && !nodes.containsKey(parent)) {
            throw new UnavailableException(path + ": there is no file to put the lock below", Outcome.NOT_APPLIED);
        }
        return Optional.of(put(path, owner, session));
    }

    SmallFile createWhile(String lock, long transaction, String path, Bytes content) throws BigtableException {
        Node unused = held(lock, transaction);
        if (!nodes.containsKey(parent(path))) {
            throw new UnavailableException(path + ": there is no directory for it", Outcome.NOT_APPLIED);
        }
        return create(path, content);
    }

    SmallFile writeWhile(String lock, long transaction, String path, Bytes content, long version)
            throws BigtableException {
        Node unused = held(lock, transaction);
        return write(path, content, version);
    }

    void deleteWithChildrenWhile(String lock, long transaction, String path) throws FencedException {
        Node unused = held(lock, transaction);
        children(path).forEach(name -> remove(path + "/" + name));
        if (nodes.containsKey(path)) {
            remove(path);
        }
    }

    private Node held(String lock, long transaction) throws FencedException {
        Node node = nodes.get(lock);
        if (node == null || node.file().createdTransaction() != transaction) {
            throw new FencedException(lock + ": the lock is gone");
        }
        return node;
    }

    void renew(String path, long transaction) throws FencedException {
        Node node = held(path, transaction);
        transactions++;
        SmallFile old = node.file();
        nodes.put(
                path,
                new Node(new SmallFile(old.content(), old.version() + 1, transaction, nowMicros()), node.owner()));
    }

    void unlock(String path, long transaction) {
        Node node = nodes.get(path);
        if (node != null && node.file().createdTransaction() == transaction) {
            remove(path);
        }
    }

    /** Everything that dies with a session. */
    void end(SimSession session) {
        List<String> owned = new ArrayList<>();
        nodes.forEach((path, node) -> {
            if (node.owner() == session) {
                owned.add(path);
            }
        });
        owned.forEach(this::remove);
    }

    /** The file came or went. */
    private void tell(String path) {
        changed.accept(path);
        changed.accept(parent(path));
    }

    private long nowMicros() {
        return scheduler.clock().micros();
    }

    private static String parent(String path) {
        int slash = path.lastIndexOf('/');
        return slash < 0 ? "" : path.substring(0, slash);
    }
}
