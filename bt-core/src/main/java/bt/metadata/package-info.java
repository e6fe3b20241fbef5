/** METADATA (section 5.1 of the paper): where tablets are, what they are made of, and the only door for changing it. */
@NullMarked
package bt.metadata;

import org.jspecify.annotations.NullMarked;
