/** Where everything meets: reads the configuration, builds the processes, and finds the commands. */
@NullMarked
package bt.main;

import org.jspecify.annotations.NullMarked;
