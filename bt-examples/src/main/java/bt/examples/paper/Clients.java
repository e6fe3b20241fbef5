package bt.examples.paper;

import bt.base.UnavailableException;
import bt.examples.cluster.Workplace;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.HdrHistogram.Histogram;

/** The client processes of one workload, which begin and end together. One thread. */
final class Clients implements AutoCloseable {
    private static final int LOOK_MILLIS = 200;

    private final List<ClientProcess> processes = new ArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    private Clients() {}

    static Clients start(Workplace at, ClientProcess.Task task, int count) throws IOException {
        Clients clients = new Clients();
        try {
            for (int i = 0; i < count; i++) {
                clients.processes.add(ClientProcess.start(at, "client-" + i, task));
            }
            return clients;
        } catch (IOException failed) {
            clients.close();
            throw failed;
        }
    }

    List<Long> pids() {
        return processes.stream().map(ClientProcess::pid).toList();
    }

    long operations() {
        return processes.stream().mapToLong(ClientProcess::operations).sum();
    }

    /** Works until no ranges are left; how long each operation took, in nanoseconds. */
    Histogram run(Ranges ranges, Pace pace, Progress progress) throws IOException, InterruptedException {
        List<Future<Histogram>> parts = new ArrayList<>();
        for (ClientProcess process : processes) {
            parts.add(threads.submit(() -> process.run(ranges, pace)));
        }
        Histogram all = new Histogram(RangeWork.DIGITS_OF_LATENCIES);
        for (Future<Histogram> part : parts) {
            all.add(await(part, progress));
        }
        return all;
    }

    private Histogram await(Future<Histogram> part, Progress progress) throws IOException, InterruptedException {
        while (true) {
            try {
                return part.get(LOOK_MILLIS, TimeUnit.MILLISECONDS);
            } catch (TimeoutException goesOn) {
                progress.at(operations());
            } catch (ExecutionException failed) {
                if (failed.getCause() instanceof IOException expected) {
                    throw expected;
                }
                throw new IllegalStateException(failed.getCause());
            }
        }
    }

    @Override
    public void close() throws UnavailableException {
        threads.shutdownNow();
        for (ClientProcess process : processes) {
            process.close();
        }
    }
}
