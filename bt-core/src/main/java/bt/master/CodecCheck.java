package bt.master;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.record.CheckTable;
import bt.record.TableRecord;

/**
 * Whether the servers can write what a table asks for: only they know the codecs, users' own among them. A table with one
 * that is unknown would be served by nobody. Owned by the master's thread.
 */
final class CodecCheck {
    private final Network network;
    private final Scheduler scheduler;
    private final long timeoutMillis;

    CodecCheck(Network network, Scheduler scheduler, long timeoutMillis) {
        this.network = network;
        this.scheduler = scheduler;
        this.timeoutMillis = timeoutMillis;
    }

    /** Asks one server, as all have the same libraries. REJECTED with what it does not know. */
    void check(TableRecord table, Sight sight) throws BigtableException, InterruptedException {
        Member server = sight.answered().keySet().stream()
                .findFirst()
                .orElseThrow(() -> new UnavailableException(
                        "table " + table.getName() + ": no tablet server answers", Outcome.NOT_APPLIED));
        scheduler.await(
                network.send(server.address(), new Request.Control(new CheckTable(table)), timeoutMillis),
                timeoutMillis);
    }
}
