package bt.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Starts threads of which one runs at a time, where the system runs them, and those that they start, on one core: there the next
 * one goes on as soon as the one before waits. On another core it has first to be woken, which takes a virtual machine several
 * times as long as what it then does. A machine that has no {@code taskset} runs them where it likes, and slower.
 */
public final class OneCore {
    private static final String ALLOWED = "Cpus_allowed_list:";
    private static final long PIN_SECONDS = 10;

    /**
     * Of this JVM among those of a build, from 1 on. Not read by a thread that is to be pinned: what it would die of nobody hears.
     */
    private static final int FORK = Integer.parseInt(System.getProperty("bt.fork", "1"));

    /** Of who is on a core of its own, and of all that it starts. */
    private static final InheritableThreadLocal<Boolean> PINNED = new InheritableThreadLocal<>();

    /** For whoever is on none. */
    private static final ExecutorService STARTER = Executors.newSingleThreadExecutor(threads("one core"));

    private OneCore() {}

    /** Threads for simulations beside each other: each has a core, with all that it starts, and the next has the next core. */
    public static ThreadFactory threads(String name) {
        AtomicInteger made = new AtomicInteger();
        return run -> {
            int number = made.getAndIncrement();
            Thread thread = new Thread(
                    () -> {
                        pin(number);
                        PINNED.set(true);
                        run.run();
                    },
                    name);
            thread.setDaemon(true);
            return thread;
        };
    }

    /** On return it has started. */
    static void start(Thread thread) {
        if (PINNED.get() != null) {
            thread.start();
        } else {
            CompletableFuture.runAsync(thread::start, STARTER).join();
        }
    }

    /** The one who calls. */
    private static void pin(int number) {
        try {
            List<Integer> cores = allowed(Files.readAllLines(Path.of("/proc/thread-self/status")));
            String thread = Files.readSymbolicLink(Path.of("/proc/thread-self"))
                    .getFileName()
                    .toString();
            int core = cores.get(Math.floorMod(FORK - 1 + number, cores.size()));
            Process pinning = new ProcessBuilder("taskset", "-p", "-c", Integer.toString(core), thread)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!pinning.waitFor(PIN_SECONDS, TimeUnit.SECONDS)) {
                pinning.destroyForcibly();
            }
        } catch (IOException elsewhere) {
            // No Linux, or not all of it: any core will do.
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Those of a line like {@code 0-3,8}, of those of a thread's status. */
    static List<Integer> allowed(List<String> status) throws IOException {
        List<Integer> cores = new ArrayList<>();
        for (String line : status) {
            if (line.startsWith(ALLOWED)) {
                for (String range : line.substring(ALLOWED.length()).strip().split(",", -1)) {
                    String[] ends = range.split("-", -1);
                    for (int core = Integer.parseInt(ends[0]);
                            core <= Integer.parseInt(ends[ends.length - 1]);
                            core++) {
                        cores.add(core);
                    }
                }
            }
        }
        if (cores.isEmpty()) {
            throw new IOException("no line " + ALLOWED);
        }
        return cores;
    }
}
