package bt.coord.zookeeper;

import java.util.concurrent.CompletableFuture;
import org.apache.zookeeper.ZooKeeper;

/** One request, sent by ZooKeeper's asynchronous interface: the only one whose waiting can be bounded. */
@FunctionalInterface
interface Attempt<T> {
    void send(ZooKeeper zooKeeper, CompletableFuture<Reply<T>> reply);
}
