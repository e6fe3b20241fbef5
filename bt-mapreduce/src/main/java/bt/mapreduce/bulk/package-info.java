/** Sorted SSTables as the output of a job, loaded by reference. */
@NullMarked
package bt.mapreduce.bulk;

import org.jspecify.annotations.NullMarked;
