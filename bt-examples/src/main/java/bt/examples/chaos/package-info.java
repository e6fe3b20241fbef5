/** Campaigns that break the parts of a real cluster and check what it answers. */
@NullMarked
package bt.examples.chaos;

import org.jspecify.annotations.NullMarked;
