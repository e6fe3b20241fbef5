package bt.examples.demo;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A process and all that it has started, to be ended together. */
final class ProcessTree {
    private static final long END_SECONDS = 10;

    private ProcessTree() {}

    /**
     * Kills the process, then what it started: a node manager that is gone starts no container again. A child that is
     * asked before its parent dies is known by its handle after it.
     */
    static void end(ProcessHandle root) throws InterruptedException {
        List<ProcessHandle> tree = new ArrayList<>(List.of(root));
        root.descendants().forEach(tree::add);
        for (int i = 0; i < tree.size(); i++) {
            ProcessHandle process = tree.get(i);
            // What it has started since the list was made.
            process.children().filter(child -> !tree.contains(child)).forEach(tree::add);
            process.destroyForcibly();
        }
        for (ProcessHandle process : tree) {
            await(process);
        }
    }

    private static void await(ProcessHandle process) throws InterruptedException {
        try {
            process.onExit().get(END_SECONDS, TimeUnit.SECONDS);
        } catch (TimeoutException | ExecutionException stays) {
            // A process that outlives SIGKILL hangs in the kernel: nobody can do more.
        }
    }
}
