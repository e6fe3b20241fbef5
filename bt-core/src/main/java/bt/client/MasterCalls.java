package bt.client;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.CorruptionException;
import bt.base.Deadline;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.record.Done;
import bt.record.DropTable;
import bt.record.MasterFile;
import org.apache.avro.specific.SpecificRecord;

/** Requests to the master, whose address the lock service's file {@code master} tells; looked up for every attempt. */
final class MasterCalls {
    private final Session session;

    MasterCalls(Session session) {
        this.session = session;
    }

    <T extends SpecificRecord> T ask(String subject, SpecificRecord message, Class<T> type)
            throws BigtableException, InterruptedException {
        return session.retry().run(subject, deadline -> attempt(message, type, deadline));
    }

    <T extends SpecificRecord> T attempt(SpecificRecord message, Class<T> type, Deadline deadline)
            throws BigtableException, InterruptedException {
        return session.calls().control(address(), message, type, deadline);
    }

    void drop(TableSchema table) throws BigtableException, InterruptedException {
        session.retry().run("table " + table.name(), deadline -> {
            try {
                attempt(new DropTable(table.name()), Done.class, deadline);
            } catch (RejectedException refused) {
                // An earlier attempt may have done it. By id: another table may bear the name by now.
                if (session.schemas().refresh(table.id()).isPresent()) {
                    throw refused;
                }
            }
            return session.schemas().refresh(table.id());
        });
    }

    private Address address() throws BigtableException {
        SmallFile file = session.locks()
                .read(Paths.MASTER)
                .orElseThrow(() -> new UnavailableException("no master has ever run here", Outcome.NOT_APPLIED));
        String address = AvroBytes.decode("file " + Paths.MASTER, file.content(), MasterFile.class)
                .getAddress();
        try {
            return Address.parse(address);
        } catch (IllegalArgumentException malformed) {
            throw new CorruptionException("file " + Paths.MASTER + ": " + malformed.getMessage());
        }
    }
}
