/** A table as the input of a MapReduce job: a split of every tablet, and its rows for a mapper. */
@NullMarked
package bt.mapreduce.input;

import org.jspecify.annotations.NullMarked;
