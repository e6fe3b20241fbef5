/** Section 8.1 of the paper: click tables and their summaries. */
@NullMarked
package bt.examples.analytics;

import org.jspecify.annotations.NullMarked;
