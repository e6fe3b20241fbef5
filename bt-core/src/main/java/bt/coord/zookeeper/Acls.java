package bt.coord.zookeeper;

import java.util.List;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;

/** Who may touch what we create in ZooKeeper: the one place that decides it. */
final class Acls {
    /** The mode {@code simple}: callers are believed, so anyone who reaches ZooKeeper may do everything. */
    static final List<ACL> SIMPLE = List.of(new ACL(Perms.ALL, new Id("world", "anyone")));

    private Acls() {}
}
