/** Frames over TCP, by Netty: carries {@link bt.protocol} both ways. See docs/formats/wire.md. */
@NullMarked
package bt.rpc;

import org.jspecify.annotations.NullMarked;
