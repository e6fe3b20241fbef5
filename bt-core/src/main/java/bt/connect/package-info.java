/** The application's door: where the client library meets ZooKeeper and the network. */
@NullMarked
package bt.connect;

import org.jspecify.annotations.NullMarked;
