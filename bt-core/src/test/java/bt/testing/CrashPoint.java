package bt.testing;

import java.util.Optional;

/**
 * Where a crash leaves something different behind: before and after each step that outlives the process which takes it, at
 * the file store, at the lock service, and of METADATA.
 */
public enum CrashPoint {
    BEFORE_CREATE,
    AFTER_CREATE,
    BEFORE_APPEND,
    AFTER_APPEND,
    BEFORE_FLUSH,
    AFTER_FLUSH,
    BEFORE_SYNC,
    AFTER_SYNC,
    BEFORE_CLOSE,
    AFTER_CLOSE,
    BEFORE_RENAME,
    AFTER_RENAME,
    BEFORE_DELETE,
    AFTER_DELETE,
    BEFORE_MAKE_DIRECTORY,
    AFTER_MAKE_DIRECTORY,
    BEFORE_FENCE,
    AFTER_FENCE,
    BEFORE_NODE_IS_CREATED,
    AFTER_NODE_IS_CREATED,
    BEFORE_NODE_IS_SET,
    AFTER_NODE_IS_SET,
    BEFORE_NODE_IS_DELETED,
    AFTER_NODE_IS_DELETED,
    /** A node that dies with its session. */
    BEFORE_LOCK,
    AFTER_LOCK,
    BEFORE_LOCK_IS_RENEWED,
    AFTER_LOCK_IS_RENEWED,
    /** By a process that ends as it was asked to. */
    BEFORE_LOCK_IS_RELEASED,
    AFTER_LOCK_IS_RELEASED,
    /** By whoever sends the change. */
    BEFORE_METADATA_CHANGES,
    /** It has been told that the change is made. */
    AFTER_METADATA_CHANGES;

    /** What remembers a step. */
    public enum Memory {
        FILES,
        LOCKS,
        METADATA
    }

    /** Empty where the operation leaves nothing behind. */
    static Optional<CrashPoint> before(FileOperation operation) {
        return switch (operation) {
            case CREATE -> Optional.of(BEFORE_CREATE);
            case APPEND -> Optional.of(BEFORE_APPEND);
            case FLUSH -> Optional.of(BEFORE_FLUSH);
            case SYNC -> Optional.of(BEFORE_SYNC);
            case CLOSE -> Optional.of(BEFORE_CLOSE);
            case RENAME -> Optional.of(BEFORE_RENAME);
            case DELETE -> Optional.of(BEFORE_DELETE);
            case MAKE_DIRECTORY -> Optional.of(BEFORE_MAKE_DIRECTORY);
            case FENCE -> Optional.of(BEFORE_FENCE);
            case OPEN, LIST, HOSTS, ABANDON, READ -> Optional.empty();
        };
    }

    /** By the order in which the points stand. */
    public Memory memory() {
        if (compareTo(BEFORE_NODE_IS_CREATED) < 0) {
            return Memory.FILES;
        }
        return compareTo(BEFORE_METADATA_CHANGES) < 0 ? Memory.LOCKS : Memory.METADATA;
    }

    /** The same step when it is done; of a point after a step that point itself. */
    public CrashPoint after() {
        return valueOf(name().replace("BEFORE", "AFTER"));
    }
}
