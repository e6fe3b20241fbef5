/** The gateway's process: sockets, limits, and the calls as the client library answers them. */
@NullMarked
package bt.thrift.gateway;

import org.jspecify.annotations.NullMarked;
