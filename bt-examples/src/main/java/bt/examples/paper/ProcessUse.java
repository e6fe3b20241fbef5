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
 *
 * @param cpuSeconds as the system counts them, in hundredths
 * @param bytesOut what they gave to sockets and files; empty where the system does not count it
 */
public record ProcessUse(
        double cpuSeconds, OptionalDouble bytesOut, OptionalDouble allocatedBytes, OptionalDouble gcMillis) {
    private static final double TICKS_PER_SECOND = 100;
    private static final int USER_TICKS = 11;
    private static final int SYSTEM_TICKS = 12;
    private static final String BYTES_OUT = "wchar: ";

    /** A moment from which it is measured. */
    static final class Since {
        private final List<Long> pids;
        private final Optional<JvmUse> before;
        private final OptionalDouble bytesOutBefore;
        private final double cpuBefore;

        private Since(List<Long> pids) throws IOException {
            this.pids = List.copyOf(pids);
            // In this order, and the other way round at the end: asking a JVM costs it some CPU.
            this.before = JvmUse.ask(pids);
            this.bytesOutBefore = bytesOut(pids);
            this.cpuBefore = cpuSeconds(pids);
        }

        /** What the system counts until now. */
        Until now() throws IOException {
            double cpu = cpuSeconds(pids) - cpuBefore;
            OptionalDouble bytes = bytesOut(pids);
            return new Until(
                    cpu,
                    bytes.isPresent() && bytesOutBefore.isPresent()
                            ? OptionalDouble.of(bytes.getAsDouble() - bytesOutBefore.getAsDouble())
                            : OptionalDouble.empty());
        }

        /** With what the JVMs tell, which nothing else need wait for. */
        ProcessUse until(Until end) {
            Optional<JvmUse> now = before.flatMap(answered -> JvmUse.ask(pids));
            if (before.isEmpty() || now.isEmpty()) {
                return new ProcessUse(end.cpu, end.bytesOut, OptionalDouble.empty(), OptionalDouble.empty());
            }
            return new ProcessUse(
                    end.cpu,
                    end.bytesOut,
                    OptionalDouble.of(now.get().allocatedSince(before.get())),
                    OptionalDouble.of(now.get().gcMillis() - before.get().gcMillis()));
        }
    }

    /** What the system has counted when it ended. */
    record Until(double cpu, OptionalDouble bytesOut) {}

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

    private static OptionalDouble bytesOut(List<Long> pids) throws IOException {
        double bytes = 0;
        for (long pid : pids) {
            Path counts = Path.of("/proc", Long.toString(pid), "io");
            if (!Files.isReadable(counts)) {
                return OptionalDouble.empty();
            }
            bytes += Files.readAllLines(counts).stream()
                    .filter(line -> line.startsWith(BYTES_OUT))
                    .mapToLong(line -> Long.parseLong(line.substring(BYTES_OUT.length())))
                    .sum();
        }
        return OptionalDouble.of(bytes);
    }
}
