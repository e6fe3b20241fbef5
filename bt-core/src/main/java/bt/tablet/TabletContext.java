package bt.tablet;

import bt.base.Clock;
import bt.fs.FileStore;

/** What all tablets of a server share. */
public record TabletContext(
        FileStore files, TabletCaches caches, Clock clock, FileNames names, TabletConfig config, Scripts scripts) {}
