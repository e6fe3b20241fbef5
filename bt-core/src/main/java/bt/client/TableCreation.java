package bt.client;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.metadata.Schemas;
import bt.model.TableAccess;
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

    TableCreation(Session session, MasterCalls master, TableSchema draft, List<Bytes> splitRows) {
        this.session = session;
        this.master = master;
        this.draft = draft;
        List<ByteBuffer> rows = splitRows.stream().map(AvroBytes::buffer).toList();
        this.request = new CreateTable(Schemas.encode(draft), rows);
    }

    /** Returns its id, when the table is there: that its tablets are served goes on by itself. */
    long begin() throws BigtableException, InterruptedException {
        return session.retry().change(subject(), this::create);
    }

    TableSchema run() throws BigtableException, InterruptedException {
        long tableId = begin();
        return Doubt.after(subject() + " was created, and its tablets come to be served by themselves", () -> {
            new Operations(session, master).awaitCreation(draft.name(), tableId);
            return session.schemas()
                    .refresh(tableId)
                    .orElseThrow(() -> new UnavailableException(
                            "it was dropped at once: undelete it, or create it anew", Outcome.UNKNOWN));
        });
    }

    private long create(Deadline deadline, boolean mayBeMade) throws BigtableException, InterruptedException {
        try {
            return master.attempt(request, TableCreated.class, deadline).getTableId();
        } catch (RejectedException refused) {
            // The name is taken: by this very table, if the answer of an earlier attempt was lost.
            Optional<TableSchema> there = session.schemas().all().stream()
                    .filter(table -> mayBeMade && isDrafted(table))
                    .findFirst();
            return there.orElseThrow(() -> refused).id();
        }
    }

    private boolean isDrafted(TableSchema table) {
        return table.name().equals(draft.name())
                && table.families().equals(draft.families())
                && table.groups().equals(draft.groups())
                && table.durability() == draft.durability()
                && table.quotas().equals(draft.quotas())
                && hasDraftedRights(table);
    }

    /** The master may have given its creator rights beside those that were asked for. */
    private boolean hasDraftedRights(TableSchema table) {
        if (draft.access().isEmpty()) {
            return true;
        }
        TableAccess wanted = draft.access().get();
        TableAccess given = table.access().orElse(TableAccess.NOBODY);
        return given.families().equals(wanted.families())
                && wanted.table().users().entrySet().stream()
                        .allMatch(user -> given.table().of(user.getKey()).containsAll(user.getValue()));
    }

    private String subject() {
        return "table " + draft.name();
    }
}
