/** The file system of one machine behind {@link bt.fs.FileStore}, for {@code bt dev}. */
@NullMarked
package bt.fs.local;

import org.jspecify.annotations.NullMarked;
