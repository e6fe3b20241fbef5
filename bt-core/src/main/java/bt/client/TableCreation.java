package bt.client;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.metadata.Schemas;
import bt.model.TableSchema;
import bt.record.CreateTable;
import bt.record.TableCreated;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;

/** One table on its way into being. One thread. */
final class TableCreation {
    private final Session session;
    private final MasterCalls master;
    private final TableSchema draft;
    private final CreateTable request;
    private boolean inDoubt;

    TableCreation(Session session, MasterCalls master, TableSchema draft, List<Bytes> splitRows) {
        this.session = session;
        this.master = master;
        this.draft = draft;
        List<ByteBuffer> rows = splitRows.stream().map(AvroBytes::buffer).toList();
        this.request = new CreateTable(Schemas.encode(draft), rows);
    }

    /** Returns its id, when the table is there: that its tablets are served goes on by itself. */
    long begin() throws BigtableException, InterruptedException {
        return session.retry().run(subject(), this::create);
    }

    TableSchema run() throws BigtableException, InterruptedException {
        long tableId = begin();
        new Operations(session, master).awaitCreation(draft.name(), tableId);
        return session.schemas()
                .refresh(tableId)
                .orElseThrow(() -> new UnavailableException(subject() + " was dropped at once", Outcome.UNKNOWN));
    }

    private long create(Deadline deadline) throws BigtableException, InterruptedException {
        try {
            return master.attempt(request, TableCreated.class, deadline).getTableId();
        } catch (RejectedException refused) {
            // The name is taken: by this very table, if the answer of an earlier attempt was lost.
            Optional<TableSchema> there = session.schemas().all().stream()
                    .filter(table -> inDoubt && isDrafted(table))
                    .findFirst();
            return there.orElseThrow(() -> refused).id();
        } catch (BigtableException failure) {
            inDoubt |= failure.outcome() == Outcome.UNKNOWN;
            throw failure;
        }
    }

    private boolean isDrafted(TableSchema table) {
        return table.name().equals(draft.name())
                && table.families().equals(draft.families())
                && table.groups().equals(draft.groups())
                && table.durability() == draft.durability();
    }

    private String subject() {
        return "table " + draft.name();
    }
}
