/** What a command of {@code bt} is; every module brings its own through ServiceLoader. */
@NullMarked
package bt.command;

import org.jspecify.annotations.NullMarked;
