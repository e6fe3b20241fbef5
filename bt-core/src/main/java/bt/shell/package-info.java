/**
 * The commands of {@code bt} that read and write tables, over the client alone. Row keys, qualifiers and values are read as
 * {@link bt.base.Bytes#parse} does and printed as {@link bt.base.Bytes#toString} does, so that what one command prints another
 * understands, whatever the bytes. The paper has no shell.
 */
@NullMarked
package bt.shell;

import org.jspecify.annotations.NullMarked;
