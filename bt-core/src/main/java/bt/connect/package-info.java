/** The application's door: where the client library meets ZooKeeper and the network. The paper has no such door. */
@NullMarked
package bt.connect;

import org.jspecify.annotations.NullMarked;
