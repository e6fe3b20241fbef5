package bt.examples.paper;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * What some processes of this machine used between two moments, all together; without what their JVMs would have to tell where one
 * does not.
 */
public record ProcessUse(double cpuSeconds, OptionalDouble allocatedBytes, OptionalDouble gcMillis) {
    private static final double TICKS_PER_SECOND = 100;
    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;

    /** A moment from which it is measured. */
    static final class Since {
        private final List<Long> pids;
        private final Optional<JvmUse> before;
        private final double cpuBefore;

        private Since(List<Long> pids) throws IOException {
            this.pids = List.copyOf(pids);
            // In this order, and the other way round at the end: asking a JVM costs it some CPU.
            this.before = JvmUse.ask(pids);
            this.cpuBefore = cpuSeconds(pids);
        }

        ProcessUse until(double cpuNow) {
            Optional<JvmUse> now = before.flatMap(answered -> JvmUse.ask(pids));
            if (before.isEmpty() || now.isEmpty()) {
                return new ProcessUse(cpuNow - cpuBefore, OptionalDouble.empty(), OptionalDouble.empty());
            }
            return new ProcessUse(
                    cpuNow - cpuBefore,
                    OptionalDouble.of(now.get().allocatedSince(before.get())),
                    OptionalDouble.of(now.get().gcMillis() - before.get().gcMillis()));
        }

        double cpuNow() throws IOException {
            return cpuSeconds(pids);
        }
    }

    static Since since(List<Long> pids) throws IOException {
        return new Since(pids);
    }

    /** Since they started, as the system counts it, in hundredths. */
    static double cpuSeconds(List<Long> pids) throws IOException {
        double seconds = 0;
        for (long pid : pids) {
            String line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
            // The name of the program, in brackets, may have spaces in it.
            String[] fields = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
            seconds += (Long.parseLong(fields[USER_TICKS]) + Long.parseLong(fields[SYSTEM_TICKS])) / TICKS_PER_SECOND;
        }
        return seconds;
    }
}
