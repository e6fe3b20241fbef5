package bt.testing;

/**
 * Unwinds a worker whose process has crashed. An error, so that product code does not take it for a bad day. By the time
 * it is thrown nothing that the worker still does reaches anyone: every wait and every port throws it again.
 */
public final class ProcessCrashed extends Error {
    ProcessCrashed(String process) {
        // Cheap: there are many, and nobody looks where.
        super(process + " has crashed", null, false, false);
    }
}
