package bt.tablet;

import bt.base.Clock;
import bt.fs.FileStore;
import bt.sstable.BlockCache;

/** What all tablets of a server share. */
public record TabletContext(
        FileStore files, BlockCache cache, Clock clock, FileNames names, TabletConfig config, Scripts scripts) {}
