/** What clients did and were told, and whether a correct cluster could have told them so. */
@NullMarked
package bt.testing.history;

import org.jspecify.annotations.NullMarked;
