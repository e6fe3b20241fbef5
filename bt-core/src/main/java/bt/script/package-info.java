/** The door for server-side scripts, where the paper had Sawzall: engines come in through ServiceLoader. */
@NullMarked
package bt.script;

import org.jspecify.annotations.NullMarked;
