/** What is to run on YARN, and where the cluster's lock service says what does. */
@NullMarked
package bt.yarn.spec;

import org.jspecify.annotations.NullMarked;
