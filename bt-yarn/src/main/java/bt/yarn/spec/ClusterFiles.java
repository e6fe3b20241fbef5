package bt.yarn.spec;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.record.ProcessFile;
import java.util.Optional;

/**
 * What the cluster's lock service holds about its application on YARN: {@code yarn/cluster}, which the submitter creates
 * and the application master keeps true; {@code yarn/stop}, by which it is told to end; and what each process says of
 * itself, under the id of its container. Any thread.
 */
public final class ClusterFiles {
    private static final String APPLICATION = "yarn/cluster";
    private static final String STOP = "yarn/stop";

    private final LockService locks;

    public ClusterFiles(LockService locks) {
        this.locks = locks;
    }

    /** What is known of the cluster's application, and the file's version. */
    public record Known(Application application, long version) {}

    public Optional<Known> read() throws BigtableException {
        Optional<SmallFile> file = locks.read(APPLICATION);
        return file.isEmpty()
                ? Optional.empty()
                : Optional.of(new Known(
                        Application.decode("file " + APPLICATION, file.get().content()),
                        file.get().version()));
    }

    /** The name of the cluster belongs to this application from now on. REJECTED when it belongs to another. */
    public void claim(Application application) throws BigtableException {
        locks.create(APPLICATION, application.encode());
    }

    /** Takes the place of what was read; REJECTED when it is no longer that. */
    public void replace(Known read, Application application) throws BigtableException {
        locks.write(APPLICATION, application.encode(), read.version());
    }

    /**
     * Says what an application master holds. REJECTED when the name belongs to another application, or to a later attempt:
     * the caller then is no longer the one who decides.
     */
    public void publish(Application application) throws BigtableException {
        Optional<Known> before = read();
        if (before.isEmpty()) {
            claim(application);
            return;
        }
        Application held = before.get().application();
        if (!held.id().equals(application.id()) || held.attempt() > application.attempt()) {
            throw new RejectedException(
                    "file " + APPLICATION + " belongs to attempt " + held.attempt() + " of " + held.id()
                            + ", not to attempt " + application.attempt() + " of " + application.id(),
                    "end this attempt: one at a time has the cluster");
        }
        replace(before.get(), application);
    }

    /** Asks the application to end. It stays asked, however often its master dies. */
    public void askToStop(String applicationId) throws BigtableException {
        Optional<SmallFile> there = locks.read(STOP);
        if (there.isEmpty()) {
            locks.create(STOP, Bytes.utf8(applicationId));
        } else {
            locks.write(STOP, Bytes.utf8(applicationId), there.get().version());
        }
    }

    public boolean isAskedToStop(String applicationId) throws BigtableException {
        return locks.read(STOP)
                .map(file -> file.content().toUtf8().equals(applicationId))
                .orElse(false);
    }

    /** What the process of a container said of itself; empty before it has. */
    public Optional<ProcessFile> process(String container) throws BigtableException {
        String path = Paths.process(container);
        Optional<SmallFile> file = locks.read(path);
        return file.isEmpty()
                ? Optional.empty()
                : Optional.of(AvroBytes.decode("file " + path, file.get().content(), ProcessFile.class));
    }

    public void forgetProcess(String container) throws BigtableException {
        locks.delete(Paths.process(container));
    }

    /** The application has ended: the name is free. */
    public void forget() throws BigtableException {
        for (String process : locks.children(Paths.PROCESSES)) {
            forgetProcess(process);
        }
        locks.delete(STOP);
        locks.delete(APPLICATION);
    }
}
