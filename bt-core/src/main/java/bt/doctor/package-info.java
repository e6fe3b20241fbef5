/** The structural invariants of a cluster, read-only: what {@code bt doctor} checks. */
@NullMarked
package bt.doctor;

import org.jspecify.annotations.NullMarked;
