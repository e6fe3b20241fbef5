/** The measurements of section 7 of the paper: workloads, the processes that carry them out, and what those cost. */
@NullMarked
package bt.examples.paper;

import org.jspecify.annotations.NullMarked;
