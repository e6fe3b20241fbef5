package bt.doctor;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.coord.LockService;
import bt.coord.Paths;
import java.util.Optional;

/** Looks at the sweeps of garbage that somebody has asked for. One thread. */
final class SweepReader {
    private final LockService locks;
    private final Clock clock;

    SweepReader(LockService locks, Clock clock) {
        this.locks = locks;
        this.clock = clock;
    }

    /** Also those whose files are damaged: their names say what was asked for, and nobody works on it. */
    void examine(SweepProgress progress, Suspicions suspicions) throws BigtableException {
        for (String name : locks.children(Paths.SWEEPS)) {
            String path = Paths.SWEEPS + "/" + name;
            Optional<AskedSweep> asked = look(path);
            if (asked.isPresent()) {
                suspicions.examine(progress, asked.get(), () -> look(path));
            }
        }
    }

    private Optional<AskedSweep> look(String path) throws BigtableException {
        return locks.read(path).map(file -> new AskedSweep(path, file.modifiedMicros(), clock.micros()));
    }
}
