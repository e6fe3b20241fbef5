/** The application master: a pure plan, and a thin shell round it that speaks with YARN. */
@NullMarked
package bt.yarn.app;

import org.jspecify.annotations.NullMarked;
