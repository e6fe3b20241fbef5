package bt.fs;

/** One entry of a directory: its name without the path, its length in bytes, when it last changed. */
public record FileInfo(String name, long bytes, boolean directory, long modifiedMicros) {}
