/**
 * The commit log (sections 5.3 and 6 of the paper): segments, their one writer, their reader. What a segment looks like,
 * byte by byte, is in docs/formats/commit-log.md.
 */
@NullMarked
package bt.log;

import org.jspecify.annotations.NullMarked;
