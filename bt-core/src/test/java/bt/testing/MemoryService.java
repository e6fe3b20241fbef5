package bt.testing;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.RowRange;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Request;
import bt.protocol.Service;
import bt.protocol.Write;
import bt.protocol.WriteResult;
import bt.record.Done;
import bt.record.FlushTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** A tablet server over {@link MemoryTables}: it answers for the tablets it was told to serve, UNAVAILABLE for others. */
public final class MemoryService implements Service {
    private final MemoryTables tables;
    private final List<Tablet> tablets = new CopyOnWriteArrayList<>();
    private final List<Request> asked = new CopyOnWriteArrayList<>();

    MemoryService(MemoryTables tables) {
        this.tables = tables;
    }

    private record Tablet(long tableId, RowRange range) {}

    public void serve(long tableId, RowRange range) {
        tablets.add(new Tablet(tableId, range));
    }

    public void unload(long tableId, RowRange range) {
        tablets.remove(new Tablet(tableId, range));
    }

    /** Every request so far. */
    public List<Request> asked() {
        return List.copyOf(asked);
    }

    @Override
    public CompletableFuture<Answer> handle(Caller caller, Request request) {
        asked.add(request);
        try {
            return CompletableFuture.completedFuture(answer(request));
        } catch (BigtableException failure) {
            return CompletableFuture.failedFuture(failure);
        }
    }

    private Answer answer(Request request) throws BigtableException {
        return switch (request.kind()) {
            case SCAN -> scan((Request.Scan) request);
            case MUTATE -> mutate((Request.Mutate) request);
            case CONTROL -> control((Request.Control) request);
        };
    }

    private Answer scan(Request.Scan scan) throws BigtableException {
        RowRange tablet = find(scan.tableId(), scan.walk().next())
                .orElseThrow(() -> notHere(scan.tableId(), scan.walk().next()));
        return tables.scan(scan, tablet);
    }

    private Answer mutate(Request.Mutate mutate) {
        List<WriteResult> results = new ArrayList<>();
        for (Write write : mutate.writes()) {
            Bytes row = write.mutation().row();
            results.add(
                    find(mutate.tableId(), row).isPresent()
                            ? tables.write(mutate.tableId(), write)
                            : WriteResult.failed(notHere(mutate.tableId(), row)));
        }
        return new Answer.Mutated(results);
    }

    private static Answer control(Request.Control control) throws RejectedException {
        if (control.message() instanceof FlushTable) {
            return new Answer.Control(new Done());
        }
        throw new RejectedException(
                "not in memory: " + control.message().getSchema().getName(), "ask for another");
    }

    private Optional<RowRange> find(long tableId, Bytes row) {
        return tablets.stream()
                .filter(tablet -> tablet.tableId() == tableId && tablet.range().contains(row))
                .map(Tablet::range)
                .findFirst();
    }

    private static UnavailableException notHere(long tableId, Bytes row) {
        return new UnavailableException(
                "table " + tableId + " row " + row + ": not on this server", Outcome.NOT_APPLIED);
    }
}
