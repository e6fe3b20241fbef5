/** What a command of {@code bt} is; every module brings its own through ServiceLoader. The paper has no commands. */
@NullMarked
package bt.command;

import org.jspecify.annotations.NullMarked;
