/** What processes say to each other: requests, answers, their codec, and the two ports that carry them. */
@NullMarked
package bt.protocol;

import org.jspecify.annotations.NullMarked;
