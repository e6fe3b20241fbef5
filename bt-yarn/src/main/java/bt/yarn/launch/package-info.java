/** What a container runs: the distribution and the configuration in HDFS, and the command that starts a JVM from them. */
@NullMarked
package bt.yarn.launch;

import org.jspecify.annotations.NullMarked;
