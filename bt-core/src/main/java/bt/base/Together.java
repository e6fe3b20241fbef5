package bt.base;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/**
 * Tasks that a thread gives to others one behind the other, given to each as one: who sleeps is woken once, and has all of
 * them to do, where one by one he would wake for the first, do it, and sleep again before the second is there. Each thread
 * gathers its own.
 */
public final class Together {
    /** The first of very many begin before the last is there. */
    static final int MOST = 64;

    private static final ThreadLocal<@Nullable Together> OF_THREAD = new ThreadLocal<>();

    private final Map<Executor, List<Task>> given = new LinkedHashMap<>();

    private Together() {}

    private record Task(Runnable run, Runnable ifRefused) {}

    /** What the work gives to others, on this thread, they have when it ends, however it does, or earlier. */
    public static void gather(Runnable work) {
        if (OF_THREAD.get() != null) {
            work.run();
            return;
        }
        Together gathering = new Together();
        OF_THREAD.set(gathering);
        try {
            work.run();
        } finally {
            OF_THREAD.remove();
            gathering.given.forEach(Together::handOver);
        }
    }

    /** Tasks of one executor keep their order. The other one is run here where the executor takes nothing any more. */
    public static void give(Executor to, Runnable task, Runnable ifRefused) {
        Together gathering = OF_THREAD.get();
        if (gathering == null) {
            handOver(to, List.of(new Task(task, ifRefused)));
            return;
        }
        List<Task> tasks = gathering.given.computeIfAbsent(to, first -> new ArrayList<>());
        tasks.add(new Task(task, ifRefused));
        if (tasks.size() == MOST) {
            gathering.given.remove(to);
            handOver(to, tasks);
        }
    }

    private static void handOver(Executor to, List<Task> tasks) {
        try {
            to.execute(tasks.size() == 1 ? tasks.get(0).run : () -> run(tasks, 0));
        } catch (RejectedExecutionException stopped) {
            tasks.forEach(task -> task.ifRefused.run());
        }
    }

    /** One that fails keeps none of those behind it from being run. */
    private static void run(List<Task> tasks, int from) {
        int next = from;
        try {
            while (next < tasks.size()) {
                tasks.get(next++).run.run();
            }
        } finally {
            if (next < tasks.size()) {
                run(tasks, next);
            }
        }
    }
}
