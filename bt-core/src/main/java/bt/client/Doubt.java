package bt.client;

import bt.base.BigtableException;
import bt.client.Session.Waiting;

/** What is told of a change of the cluster that was made though what comes after it fails. */
final class Doubt {
    private Doubt() {}

    /** What follows a change that was made, which is told by whatever fails of it. */
    static <T> T after(String done, Waiting<T> rest) throws BigtableException, InterruptedException {
        try {
            return rest.run();
        } catch (BigtableException failed) {
            throw failed.unknown(done + ": " + failed.getMessage());
        }
    }
}
