/** HDFS behind {@link bt.fs.FileStore}. Nothing else of ours knows Hadoop. */
@NullMarked
package bt.fs.hadoop;

import org.jspecify.annotations.NullMarked;
