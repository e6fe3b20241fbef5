/** The data model as values (section 2 of the paper). */
@NullMarked
package bt.model;

import org.jspecify.annotations.NullMarked;
