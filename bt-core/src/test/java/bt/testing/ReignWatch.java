package bt.testing;

import bt.protocol.Request;
import bt.protocol.Service;
import org.apache.avro.Schema;

/** Looks on where masters are heard, and counts what comes from one that another has followed. Used by whoever holds the baton. */
final class ReignWatch {
    private static final String EPOCH = "masterEpoch";

    private final SimScheduler scheduler;
    private long latest = Request.Mutate.NO_MASTER;

    ReignWatch(SimScheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** The same service, looked at. */
    Service over(Service server) {
        return (caller, request) -> {
            heard(epoch(request));
            return server.handle(caller, request);
        };
    }

    private void heard(long epoch) {
        if (epoch != Request.Mutate.NO_MASTER && epoch < latest) {
            scheduler.count(Mishap.TWO_MASTERS);
        }
        latest = Math.max(latest, epoch);
    }

    private static long epoch(Request request) {
        if (request instanceof Request.Mutate mutate) {
            return mutate.masterEpoch();
        }
        if (request instanceof Request.Control control) {
            Schema.Field field = control.message().getSchema().getField(EPOCH);
            return field == null
                    ? Request.Mutate.NO_MASTER
                    : (Long) control.message().get(field.pos());
        }
        return Request.Mutate.NO_MASTER;
    }
}
