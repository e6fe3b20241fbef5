/** Tables as input and output of MapReduce jobs; {@link bt.mapreduce.TableJob} is the door. */
@NullMarked
package bt.mapreduce;

import org.jspecify.annotations.NullMarked;
