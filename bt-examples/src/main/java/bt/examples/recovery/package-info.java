/** What a client sees of a cluster while something of it dies, moves or splits: the times at the end of recovery. */
@NullMarked
package bt.examples.recovery;

import org.jspecify.annotations.NullMarked;
