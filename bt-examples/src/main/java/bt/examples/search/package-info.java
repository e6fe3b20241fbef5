/** Section 8.3 of the paper: one row per user, one family per kind of action. */
@NullMarked
package bt.examples.search;

import org.jspecify.annotations.NullMarked;
