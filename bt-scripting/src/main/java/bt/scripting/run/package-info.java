/** Scripts in Groovy at work on the cells of a read. */
@NullMarked
package bt.scripting.run;

import org.jspecify.annotations.NullMarked;
