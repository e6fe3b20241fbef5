/** Jobs that are commands: export, import, copy, count. */
@NullMarked
package bt.mapreduce.tool;

import org.jspecify.annotations.NullMarked;
