/** A whole cluster on this machine, every server a process of its own: for benches and tests that kill some of them. */
@NullMarked
package bt.examples.cluster;

import org.jspecify.annotations.NullMarked;
