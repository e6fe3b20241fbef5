/** Metrics, traces and the web pages that show them. */
@NullMarked
package bt.monitor;

import org.jspecify.annotations.NullMarked;
