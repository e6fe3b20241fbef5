/**
 * A session of many commands on a terminal: editing of lines, history, completion. The only place of JLine. The paper has
 * no shell.
 */
@NullMarked
package bt.shell.terminal;

import org.jspecify.annotations.NullMarked;
