package bt.testing;

/** Everything that a {@link bt.fs.FileStore}, its writers and its readers do: the points at which a test interferes. */
public enum FileOperation {
    CREATE,
    OPEN,
    MAKE_DIRECTORY,
    LIST,
    RENAME,
    DELETE,
    FENCE,
    HOSTS,
    APPEND,
    FLUSH,
    SYNC,
    CLOSE,
    ABANDON,
    READ
}
