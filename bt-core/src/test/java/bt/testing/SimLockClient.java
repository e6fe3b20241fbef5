package bt.testing;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Failures;
import bt.base.FencedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.coord.Lock;
import bt.coord.LockService;
import bt.coord.SmallFile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;

/** A process's client of the simulated lock service. */
final class SimLockClient implements LockService {
    /** What is done at the service, in one step. */
    @FunctionalInterface
    interface Transaction<T> {
        T run(SimSession session) throws BigtableException;
    }

    /** How soon a client that waits sees that it may go on, or was interrupted. */
    private static final long POLL_MICROS = 25_000;

    private final SimLockService service;
    private final String process;
    private final Scheduler ofProcess;
    private final long timeoutMillis;
    private final List<SimWatch> watches = new ArrayList<>();
    private final Set<String> claimed = new HashSet<>();
    private SimSession session;
    private boolean missedChanges;
    private boolean closed;

    SimLockClient(SimLockService service, String process, long timeoutMillis) {
        this.service = service;
        this.process = process;
        this.ofProcess = service.scheduler().process(process);
        this.timeoutMillis = timeoutMillis;
        this.session = newSession();
    }

    private SimSession newSession() {
        return service.open(this, TimeUnit.MILLISECONDS.toNanos(timeoutMillis));
    }

    String process() {
        return process;
    }

    SimSession session() {
        return session;
    }

    @Override
    public Optional<SmallFile> read(String path) throws BigtableException {
        return call(path, at -> service.store().read(path));
    }

    @Override
    public List<Optional<SmallFile>> readEach(List<String> paths) throws BigtableException {
        return paths.isEmpty()
                ? List.of()
                : call(
                        paths.get(0),
                        at -> paths.stream().map(service.store()::read).toList());
    }

    @Override
    public SmallFile create(String path, Bytes content) throws BigtableException {
        SmallFile.checkLength(path, content);
        return call(path, at -> service.store().create(path, content));
    }

    @Override
    public SmallFile write(String path, Bytes content, long version) throws BigtableException {
        SmallFile.checkLength(path, content);
        return call(path, at -> service.store().write(path, content, version));
    }

    @Override
    public void delete(String path) throws BigtableException {
        call(path, at -> {
            service.store().delete(path);
            return path;
        });
    }

    @Override
    public List<String> children(String path) throws BigtableException {
        return call(path, at -> service.store().children(path));
    }

    @Override
    public Optional<Lock> tryLock(String path, Bytes owner) throws BigtableException {
        SmallFile.checkLength(path, owner);
        if (!claimed.add(path)) {
            return Optional.empty();
        }
        Optional<Lock> lock = Optional.empty();
        try {
            lock = call(path, at -> service.store().lock(path, owner, at).map(file -> new SimLock(path, file, at)));
            return lock;
        } finally {
            if (lock.isEmpty()) {
                claimed.remove(path);
            }
        }
    }

    @Override
    public Watch watch(String path, Runnable changed) throws BigtableException {
        SimWatch watch = new SimWatch(path, changed);
        call(path, at -> watches.add(watch));
        return watch;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            service.scheduler().delay(way());
            if (service.reaches(process)) {
                service.expire(session);
            }
            abandon();
        }
    }

    /** The service hears nothing more of the session; what it holds goes with its time-out. */
    void abandon() {
        session.abandoned = true;
    }

    private <T> T call(String path, Transaction<T> transaction) throws BigtableException {
        if (closed) {
            throw new UnavailableException(path + ": this client is closed", Outcome.NOT_APPLIED);
        }
        return call(path, deadline(timeoutMillis * 9 / 10), transaction);
    }

    private long deadline(long millis) {
        return service.nowNanos() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private <T> T call(String path, long deadline, Transaction<T> transaction) throws BigtableException {
        double fate = service.random().nextDouble();
        SimFaults faults = service.faults();
        service.scheduler().delay(way());
        while (!service.reaches(process)) {
            if (service.nowNanos() >= deadline || Thread.currentThread().isInterrupted()) {
                throw new UnavailableException(path + ": no connection to the lock service", Outcome.NOT_APPLIED);
            }
            service.scheduler().delay(POLL_MICROS);
        }
        heardFromService();
        SimSession at = session;
        at.settle();
        if (fate < faults.requestsLost()) {
            throw noAnswer(path, deadline, Mishap.LOCK_REQUEST_LOST);
        }
        if (fate < faults.requestsLost() + faults.requestsLate()) {
            at.addLate(() -> run(at, transaction).isDone());
            service.scheduler()
                    .process("lock-service")
                    .after(timeoutMillis + service.random().nextLong(timeoutMillis), at::settle);
            throw noAnswer(path, deadline, Mishap.LOCK_REQUEST_LATE);
        }
        CompletableFuture<T> answer = run(at, transaction);
        boolean lost = fate > 1 - faults.answersLost();
        if (!lost && fate > 1 - faults.answersLost() - faults.answersOld()) {
            count(path, Mishap.LOCK_ANSWER_OLD);
            service.scheduler().delay(service.random().nextLong(SimFaults.OLD_MICROS));
        }
        service.scheduler().delay(way());
        if (lost || !service.reaches(process)) {
            throw noAnswer(path, deadline, Mishap.LOCK_ANSWER_LOST);
        }
        try {
            return answer.join();
        } catch (CompletionException refused) {
            throw Failures.rethrow(refused);
        }
    }

    private static <T> CompletableFuture<T> run(SimSession at, Transaction<T> transaction) {
        try {
            return CompletableFuture.completedFuture(transaction.run(at));
        } catch (BigtableException refused) {
            return CompletableFuture.failedFuture(refused);
        }
    }

    private UnavailableException noAnswer(String path, long deadline, Mishap mishap) {
        count(path, mishap);
        while (service.nowNanos() < deadline && !Thread.currentThread().isInterrupted()) {
            service.scheduler().delay(POLL_MICROS);
        }
        return new UnavailableException(path + ": no answer from the lock service");
    }

    private void count(String path, Mishap mishap) {
        service.scheduler().count(mishap);
        service.scheduler().noteSmall("lock service, " + process + ", " + path + ": " + mishap);
    }

    private long way() {
        SimFaults faults = service.faults();
        return service.random().nextLong(faults.minMicros(), faults.maxMicros());
    }

    /** The client is in contact: what it did not know it learns now. */
    void heardFromService() {
        if (session.expired && !closed) {
            service.learnt(session);
            session = newSession();
            claimed.clear();
            missedChanges = true;
        }
        if (missedChanges) {
            missedChanges = false;
            watches.forEach(SimWatch::tell);
        }
    }

    void changed(String path) {
        if (session.expired || session.abandoned || !service.reaches(process)) {
            missedChanges = true;
        } else {
            watches.stream().filter(watch -> watch.path.equals(path)).forEach(SimWatch::tell);
        }
    }

    /** Tells on a worker of the process, a while after the change, once for many. */
    private final class SimWatch implements Watch {
        private final String path;
        private final Runnable changed;
        private boolean due;

        SimWatch(String path, Runnable changed) {
            this.path = path;
            this.changed = changed;
        }

        void tell() {
            if (!due && service.scheduler().isRunning(process)) {
                due = true;
                ofProcess.start("watch of " + path, () -> {
                    service.scheduler().delay(way());
                    due = false;
                    if (watches.contains(this)) {
                        changed.run();
                    }
                });
            }
        }

        @Override
        public void close() {
            watches.remove(this);
        }
    }

    /** A lock of one session. */
    private final class SimLock implements Lock {
        private static final long RELEASE_MILLIS = 250;

        private final String path;
        private final long transaction;
        private final SimSession holder;
        private boolean released;

        SimLock(String path, SmallFile file, SimSession holder) {
            this.path = path;
            this.transaction = file.createdTransaction();
            this.holder = holder;
        }

        @Override
        public String path() {
            return path;
        }

        @Override
        public long transaction() {
            return transaction;
        }

        @Override
        public void renew() throws BigtableException {
            checkHeld();
            call(path, at -> {
                checkHeld();
                service.store().renew(path, transaction);
                return path;
            });
        }

        @Override
        public void create(String file, Bytes content) throws BigtableException {
            SmallFile.checkLength(file, content);
            checkHeld();
            call(file, at -> {
                checkHeld();
                return service.store().createWhile(path, transaction, file, content);
            });
        }

        @Override
        public SmallFile write(String file, Bytes content, long version) throws BigtableException {
            SmallFile.checkLength(file, content);
            checkHeld();
            return call(file, at -> {
                checkHeld();
                return service.store().writeWhile(path, transaction, file, content, version);
            });
        }

        @Override
        public void deleteWithChildren(String file) throws BigtableException {
            checkHeld();
            call(file, at -> {
                checkHeld();
                service.store().deleteWithChildrenWhile(path, transaction, file);
                return file;
            });
        }

        private void checkHeld() throws FencedException {
            if (released || closed || holder != session) {
                throw new FencedException(path + ": the lock was released, or lost with its session");
            }
        }

        @Override
        public void close() {
            if (released || holder != session) {
                return;
            }
            released = true;
            try {
                call(path, deadline(RELEASE_MILLIS), at -> {
                    service.store().unlock(path, transaction);
                    return path;
                });
                claimed.remove(path);
            } catch (BigtableException unheard) {
                // In doubt the session ends: another may hold the lock when a second attempt arrives.
                holder.abandoned = true;
                if (session == holder) {
                    session = newSession();
                    claimed.clear();
                    missedChanges = true;
                }
            }
        }
    }
}
