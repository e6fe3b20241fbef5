package bt.doctor;

import bt.base.BigtableException;
import bt.coord.FileRights;
import bt.coord.LockService;
import bt.coord.Paths;
import java.util.List;
import java.util.Optional;

/** Looks at who may do what with the files of the lock service, where that can say it. One thread. */
final class GuardReader {
    private static final List<String> ROOTS = List.of(
            Paths.INSTANCE,
            Paths.FILES,
            Paths.MASTER,
            Paths.SERVERS,
            Paths.ROOT,
            Paths.TABLES,
            Paths.PROCESSES,
            Paths.DRAINING,
            Paths.COMPACTIONS,
            Paths.FLUSHES,
            Paths.SPLITS,
            Paths.MERGES,
            Paths.MOVES,
            Paths.CREATIONS,
            Paths.SWEEPS,
            Paths.SUMMARY,
            Paths.USAGE,
            Paths.ACCESS);

    private final LockService locks;

    GuardReader(LockService locks) {
        this.locks = locks;
    }

    void examine(Suspicions suspicions) throws BigtableException, InterruptedException {
        Optional<FileRights> rights = locks.rights();
        if (rights.isPresent()) {
            look("", rights.get(), suspicions);
            for (String path : ROOTS) {
                examine(path, rights.get(), suspicions);
            }
        }
    }

    /** With what lies below it. */
    private void examine(String path, FileRights rights, Suspicions suspicions)
            throws BigtableException, InterruptedException {
        look(path, rights, suspicions);
        for (String child : locks.children(path)) {
            examine(path + "/" + child, rights, suspicions);
        }
    }

    private static void look(String path, FileRights rights, Suspicions suspicions) throws BigtableException {
        suspicions.examine(new Guards(), look(path, rights), () -> Optional.of(look(path, rights)));
    }

    private static GuardedFile look(String path, FileRights rights) throws BigtableException {
        return new GuardedFile(path, rights.wrong(path).orElse(""));
    }
}
