package bt.doctor;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.model.TabletId;
import java.util.Optional;
import java.util.TreeSet;

/** Looks at the servers that somebody wants without tablets. One thread. */
final class DrainReader {
    private final LockService locks;
    private final ServerReader servers;
    private final Clock clock;

    DrainReader(LockService locks, ServerReader servers, Clock clock) {
        this.locks = locks;
        this.servers = servers;
        this.clock = clock;
    }

    void examine(DrainProgress progress, Suspicions suspicions) throws BigtableException, InterruptedException {
        for (String server : locks.children(Paths.DRAINING)) {
            Optional<Draining> first = look(server);
            if (first.isPresent()) {
                // A drain of many tablets takes long: it stands still while none leaves.
                suspicions.examine(progress, first.get(), () -> look(server)
                        .filter(now -> now.tablets() >= first.get().tablets()));
            }
        }
    }

    private Optional<Draining> look(String server) throws BigtableException, InterruptedException {
        String path = Paths.draining(server);
        Optional<SmallFile> file = locks.read(path);
        Optional<SmallFile> registered = locks.read(Paths.server(server));
        if (file.isEmpty() || registered.isEmpty()) {
            return Optional.empty();
        }
        TreeSet<TabletId> held = new TreeSet<>();
        Optional<ServerSight> unused =
                servers.look(server, registered.get().createdTransaction(), status -> status.getTablets()
                        .forEach(report -> held.add(Claims.id(report))));
        return Optional.of(new Draining(
                path,
                file.get().modifiedMicros(),
                clock.micros(),
                held.size(),
                held.stream().findFirst()));
    }
}
