package bt.rpc;

import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetector.Level;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Netty's search for buffers that nobody has released. It takes a stack trace of one buffer in 128 and wraps it, for as long
 * as the process lives, to find mistakes of whoever wrote the process: that is for tests, which have it, and for whoever asks
 * for it. It is off where none of Netty's own properties says how it should be.
 */
final class LeakSearch {
    /** Of Netty 4, and the older name of the same. */
    private static final String LEVEL = "io.netty.leakDetection.level";

    private static final String OLD_LEVEL = "io.netty.leakDetectionLevel";

    private LeakSearch() {}

    static void offUnlessAsked(Function<String, @Nullable String> properties) {
        if (properties.apply(LEVEL) == null && properties.apply(OLD_LEVEL) == null) {
            ResourceLeakDetector.setLevel(Level.DISABLED);
        }
    }
}
