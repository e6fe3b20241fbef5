/** The role of the Google File System (section 4 of the paper), as a port: HDFS, a local disk or memory stands behind it. */
@NullMarked
package bt.fs;

import org.jspecify.annotations.NullMarked;
