package bt.tablet;

import bt.base.Clock;
import bt.fs.FileStore;
import java.util.function.BooleanSupplier;

/**
 * What all tablets of a server share. {@code isPressed} tells whether they take more of its memory than their share, so that files are to
 * become fewer; any thread may ask that writes files.
 */
public record TabletContext(
        FileStore files,
        TabletCaches caches,
        Clock clock,
        FileNames names,
        TabletConfig config,
        Scripts scripts,
        BooleanSupplier isPressed) {}
