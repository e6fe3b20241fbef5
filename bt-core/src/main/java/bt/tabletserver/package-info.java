/**
 * The tablet server (sections 5.2 and 5.3 of the paper): hosts tablets, orders and logs their writes, answers their
 * reads while it holds its lease, takes tablets over from the logs of dead servers. What a tablet is, it leaves to
 * {@link bt.tablet}.
 */
@NullMarked
package bt.tabletserver;

import org.jspecify.annotations.NullMarked;
