/** The paper's section 7, through the client alone. */
@NullMarked
package bt.bench;

import org.jspecify.annotations.NullMarked;
