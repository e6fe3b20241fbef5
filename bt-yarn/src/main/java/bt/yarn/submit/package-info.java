/** {@code bt cluster}: starts a cluster on YARN, shows it and ends it. */
@NullMarked
package bt.yarn.submit;

import org.jspecify.annotations.NullMarked;
