package bt.examples.paper;

import static java.nio.charset.StandardCharsets.UTF_8;

import bt.base.Clock;
import bt.base.Failures;
import bt.examples.cluster.JavaProcess;
import bt.examples.cluster.Workplace;
import bt.model.Filter;
import bt.model.RowRange;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.PageBounds;
import bt.protocol.Request;
import bt.rpc.RpcNetwork;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * The ceiling above every read: requests of one row, answered with 1,000 bytes out of nothing, by a server process, over
 * bt's own frames. This process is the client, with one connection. One thread.
 */
public final class EchoTrial implements AutoCloseable {
    /** As callers of the client library have. */
    private static final long TIMEOUT_MILLIS = 15_000;

    private static final int PAGE_BYTES = 4 << 20;

    private final Workplace at;
    private final JavaProcess server;
    private final Address address;
    private final RpcNetwork network = RpcNetwork.open("bench", Clock.system(), 1);

    private EchoTrial(Workplace at, JavaProcess server, Address address) {
        this.at = at;
        this.server = server;
        this.address = address;
    }

    /** With files in a new directory. */
    public static EchoTrial start(Path directory) throws IOException {
        Workplace at = Workplace.make(directory);
        JavaProcess server = JavaProcess.start(
                "echo", at, List.of("-Xmx512m"), ProcessBuilder.Redirect.PIPE, List.of(EchoMain.class.getName()));
        String line = server.process().inputReader(UTF_8).readLine();
        if (line == null) {
            server.checkAlive();
            throw new IOException("echo: it has closed its output");
        }
        return new EchoTrial(at, server, Address.parse(line));
    }

    /** Each caller waits for its answer, of so many rows; an operation is a row. It warms up for half as many seconds. */
    public Measured blocking(String name, int callers, int rows, double seconds) throws Exception {
        return measure(name, callers, rows, seconds, (end, latencies) -> {
            Request.Scan request = request(rows);
            while (System.nanoTime() - end < 0) {
                long began = System.nanoTime();
                Answer unused = network.send(address, request, TIMEOUT_MILLIS).get();
                latencies.recordValue(System.nanoTime() - began);
            }
        });
    }

    /** One thread that keeps so many requests on their way. */
    public Measured inFlight(String name, int requests, double seconds) throws Exception {
        return measure(name, 1, 1, seconds, (end, latencies) -> {
            Request.Scan request = request(1);
            Semaphore room = new Semaphore(requests);
            AtomicReference<@Nullable Throwable> failed = new AtomicReference<>();
            while (System.nanoTime() - end < 0 && failed.get() == null) {
                room.acquire();
                long began = System.nanoTime();
                var unused = network.send(address, request, TIMEOUT_MILLIS).whenComplete((answer, failure) -> {
                    if (failure != null) {
                        failed.compareAndSet(null, failure);
                    } else {
                        // On the one event loop of this network.
                        latencies.recordValue(System.nanoTime() - began);
                    }
                    room.release();
                });
            }
            room.acquire(requests);
            Throwable first = failed.get();
            if (first != null) {
                throw new IOException("echo: " + Failures.unwrap(first).getMessage(), first);
            }
        });
    }

    private static Request.Scan request(int rows) {
        return new Request.Scan(
                1,
                RowRange.row(Rows.key(rows)),
                Filter.ALL,
                new PageBounds(rows, PageBounds.DEFAULT.cells(), PAGE_BYTES),
                Optional.empty());
    }

    private Measured measure(String name, int threads, int rows, double seconds, Callers.Job job) throws Exception {
        Histogram unused = Callers.run(threads, seconds / 2, job);
        Callers.Trial trial = Callers.measure(threads, seconds, List.of(server.pid()), job);
        long operations = trial.latencies().getTotalCount() * rows;
        return Measured.of(name, Measured.BT, threads, operations, trial, OptionalDouble.empty());
    }

    @Override
    public void close() throws IOException {
        network.close();
        try {
            server.kill();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
        at.delete();
    }
}
