/** The lock service on ZooKeeper: the one package that knows it. */
@NullMarked
package bt.coord.zookeeper;

import org.jspecify.annotations.NullMarked;
