/** Callers that send anything but what they should, at a whole cluster, beside callers that do as they should. */
@NullMarked
package bt.examples.hostile;

import org.jspecify.annotations.NullMarked;
