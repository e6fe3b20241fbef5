/** Section 8.2 of the paper: imagery by place, and an index that is served. */
@NullMarked
package bt.examples.earth;

import org.jspecify.annotations.NullMarked;
