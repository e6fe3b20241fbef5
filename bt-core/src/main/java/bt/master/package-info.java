/**
 * The master (sections 5.1 and 5.2 of the paper): a loop that compares METADATA, the living servers and the schemas, and
 * acts on the difference. It keeps no truth of its own, so a new master begins where the old one stopped.
 */
@NullMarked
package bt.master;

import org.jspecify.annotations.NullMarked;
