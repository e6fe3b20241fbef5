/**
 * The structural invariants of a cluster, checked: what {@code bt doctor} does. Readers collect facts from METADATA, the
 * servers, the lock service and the file store; each invariant is a pure function from facts to findings; what looks
 * broken is looked at again before it is told.
 */
@NullMarked
package bt.doctor;

import org.jspecify.annotations.NullMarked;
