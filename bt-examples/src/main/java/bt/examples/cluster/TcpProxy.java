package bt.examples.cluster;

import bt.base.Scheduler;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;

/**
 * Stands between whoever connects to it and one address of this machine, and lets through what its weather lets through. Any
 * thread changes the weather; two threads for each connection.
 */
public final class TcpProxy implements AutoCloseable {
    private static final int BUFFER_BYTES = 16 << 10;
    private static final int CONNECT_MILLIS = 3_000;
    private static final long LOOK_MILLIS = 10;

    private final Scheduler scheduler;
    private final InetSocketAddress target;
    private final ServerSocket listening;
    private final long seed;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private final AtomicLong hits = new AtomicLong();
    private volatile Weather weather = Weather.FAIR;
    private volatile boolean closed;

    private TcpProxy(String target, long seed, Scheduler scheduler) throws IOException {
        this.scheduler = scheduler;
        this.seed = seed;
        int colon = target.lastIndexOf(':');
        this.target = new InetSocketAddress(target.substring(0, colon), Integer.parseInt(target.substring(colon + 1)));
        this.listening = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());
    }

    /** The seed draws the bytes that are corrupted. */
    public static TcpProxy to(String target, long seed, Scheduler scheduler) throws IOException {
        TcpProxy proxy = new TcpProxy(target, seed, scheduler);
        scheduler.start("proxy of " + target, proxy::accept);
        return proxy;
    }

    /** Where it listens, as host:port. */
    public String address() {
        return "127.0.0.1:" + listening.getLocalPort();
    }

    /** From now on. Where it cuts, connections are closed and new ones too; where it is silent, they stay and nothing comes. */
    public void set(Weather next) {
        weather = next;
        if (next.cut()) {
            hits.addAndGet(open.size());
            open.forEach(TcpProxy::close);
        }
    }

    /** How many connections were cut, and pieces held up or corrupted, until now. */
    public long hits() {
        return hits.get();
    }

    /**
     * What happens to bytes.
     *
     * @param cut connections are closed
     * @param silent nothing passes, and nobody is told
     * @param delayMillis how long each piece of up to 16 KB waits, those behind it too
     * @param bytesPerSecond no more pass in either direction; 0: as many as there are
     * @param corruptOneOf of so many pieces one has a bit flipped; 0: none
     */
    public record Weather(boolean cut, boolean silent, int delayMillis, int bytesPerSecond, int corruptOneOf) {
        public static final Weather FAIR = new Weather(false, false, 0, 0, 0);
        public static final Weather CUT = new Weather(true, false, 0, 0, 0);
        public static final Weather SILENT = new Weather(false, true, 0, 0, 0);

        public static Weather delayed(int millis) {
            return new Weather(false, false, millis, 0, 0);
        }

        public static Weather slow(int bytesPerSecond) {
            return new Weather(false, false, 0, bytesPerSecond, 0);
        }

        public static Weather corrupt(int oneOf) {
            return new Weather(false, false, 0, 0, oneOf);
        }
    }

    private void accept() {
        for (long number = 1; !closed; number++) {
            try {
                Socket here = listening.accept();
                connect(here, number);
            } catch (IOException over) {
                // Closed, or the other side is not there: whoever connected sees that.
            }
        }
    }

    /**
     * Both sockets are among those that are open before the weather is looked at, and that is set before those are closed: a connection
     * that is made while it changes is closed by one of the two.
     */
    private void connect(Socket here, long number) throws IOException {
        Socket there = new Socket();
        open.addAll(List.of(here, there));
        try {
            if (!isClosed()) {
                there.connect(target, CONNECT_MILLIS);
                here.setTcpNoDelay(true);
                there.setTcpNoDelay(true);
            }
            if (isClosed()) {
                hits.incrementAndGet();
                throw new IOException("cut");
            }
        } catch (IOException refused) {
            forget(here, there);
            throw refused;
        }
        scheduler.start("proxy to " + target, () -> pump(here, there, seed + 2 * number));
        scheduler.start("proxy from " + target, () -> pump(there, here, seed + 2 * number + 1));
    }

    private boolean isClosed() {
        return weather.cut() || closed;
    }

    private void forget(Socket one, Socket other) {
        close(one);
        close(other);
        open.remove(one);
        open.remove(other);
    }

    private void pump(Socket from, Socket to, long ownSeed) throws InterruptedException {
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(ownSeed);
        byte[] buffer = new byte[BUFFER_BYTES];
        Debt debt = new Debt();
        try {
            InputStream in = from.getInputStream();
            OutputStream out = to.getOutputStream();
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                pass(buffer, read, random, debt);
                out.write(buffer, 0, read);
            }
        } catch (IOException broken) {
            // The other pump learns it too.
        } finally {
            forget(from, to);
        }
    }

    /** For how long bytes of one direction have yet to wait: a few of them wait less than the millisecond that can be waited. One thread. */
    private static final class Debt {
        private long nanos;

        /** Adds what these wait; the whole milliseconds of all, which are taken off. */
        long millis(int bytes, int bytesPerSecond) {
            nanos += 1_000_000_000L * bytes / bytesPerSecond;
            long millis = nanos / 1_000_000;
            nanos -= millis * 1_000_000;
            return millis;
        }
    }

    private void pass(byte[] buffer, int read, RandomGenerator random, Debt debt) throws InterruptedException {
        Weather now = weather;
        if (now.silent() || now.delayMillis() > 0) {
            hits.incrementAndGet();
        }
        while (now.silent() && !closed) {
            scheduler.pause(LOOK_MILLIS);
            now = weather;
        }
        if (now.delayMillis() > 0) {
            scheduler.pause(now.delayMillis());
        }
        if (now.bytesPerSecond() > 0) {
            long millis = debt.millis(read, now.bytesPerSecond());
            if (millis > 0) {
                hits.incrementAndGet();
                scheduler.pause(millis);
            }
        }
        if (now.corruptOneOf() > 0 && random.nextInt(now.corruptOneOf()) == 0) {
            hits.incrementAndGet();
            buffer[random.nextInt(read)] ^= (byte) (1 << random.nextInt(8));
        }
    }

    @Override
    public void close() {
        closed = true;
        open.forEach(TcpProxy::close);
        try {
            listening.close();
        } catch (IOException ignored) {
            // Nobody listens there any more.
        }
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException ignored) {
            // It is gone either way.
        }
    }
}
