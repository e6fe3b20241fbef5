package bt.connect;

import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * As whom this process is known to clusters where it does not say: as Hadoop finds it in its simple mode, so that tables and
 * files have the same user. Nobody proves it; see docs/guide/access.md.
 */
public final class LocalUser {
    private static final String KEY = "HADOOP_USER_NAME";

    private LocalUser() {}

    /** The environment's HADOOP_USER_NAME, else the system property of that name, else the operating system's user. */
    public static String name() {
        return first(System.getenv(KEY), System.getProperty(KEY), System.getProperty("user.name"));
    }

    /** The first name that is one. */
    static String first(@Nullable String environment, @Nullable String property, @Nullable String system) {
        return Stream.of(Optional.ofNullable(environment), Optional.ofNullable(property), Optional.ofNullable(system))
                .flatMap(Optional::stream)
                .filter(name -> !name.isEmpty())
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("this process has no user: set " + KEY));
    }
}
