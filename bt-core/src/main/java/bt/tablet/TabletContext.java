package bt.tablet;

import bt.base.Clock;
import bt.fs.FileStore;
import java.util.function.BooleanSupplier;

/**
 * What all tablets of a server share. {@code isPressed} tells whether they take more of its memory than their share, so that files are to
 * become fewer; any thread asks, and never waits.
 */
public record TabletContext(
        FileStore files,
        TabletCaches caches,
        Clock clock,
        FileNames names,
        TabletConfig config,
        Scripts scripts,
        BooleanSupplier isPressed) {}
