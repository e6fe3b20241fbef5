package bt.connect;

import bt.base.BigtableException;
import bt.base.RejectedException;
import bt.coord.zookeeper.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What this process shows ZooKeeper as one of a cluster's own. The environment, or else a system property, names the file with
 * it, which only its owner should be able to read; see docs/guide/access.md.
 */
public final class LocalSecret {
    /** The name of both. */
    public static final String KEY = "BT_ZOOKEEPER_SECRET_FILE";

    private LocalSecret() {}

    /** Empty where no file is named. REJECTED where it cannot be read, or holds no {@code name:password}. */
    public static Optional<Secret> read() throws BigtableException {
        return read(System.getenv(KEY), System.getProperty(KEY));
    }

    static Optional<Secret> read(@Nullable String environment, @Nullable String property) throws BigtableException {
        Optional<String> named = Stream.of(Optional.ofNullable(environment), Optional.ofNullable(property))
                .flatMap(Optional::stream)
                .filter(name -> !name.isEmpty())
                .findFirst();
        if (named.isEmpty()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Secret.parse(
                    named.get(), Files.readString(Path.of(named.get())).strip()));
        } catch (RejectedException none) {
            throw none;
        } catch (IOException unreadable) {
            throw new RejectedException(
                            named.get() + ": cannot be read, and " + KEY + " names it: " + unreadable,
                            "name a file that can be read")
                    .causedBy(unreadable);
        }
    }
}
