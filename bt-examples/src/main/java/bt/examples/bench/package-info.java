/** Benches that need a whole cluster, or another engine beside ours. */
@NullMarked
package bt.examples.bench;

import org.jspecify.annotations.NullMarked;
