/** A table as the output of a MapReduce job: what tasks emit is applied through one batch per task. */
@NullMarked
package bt.mapreduce.output;

import org.jspecify.annotations.NullMarked;
