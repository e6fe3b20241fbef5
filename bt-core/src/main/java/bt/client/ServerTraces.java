package bt.client;

import bt.base.BigtableException;
import bt.base.Deadline;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.record.RequestTrace;
import bt.record.TraceList;
import bt.record.TracesRequest;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Asks servers for the traces that they keep, all at once. */
final class ServerTraces {
    private static final long CALL_MILLIS = 5_000;

    private final Session session;
    private final Optional<String> kind;
    private final int most;

    ServerTraces(Session session, Optional<String> kind, int most) {
        this.session = session;
        this.kind = kind;
        this.most = most;
    }

    SlowRequests slowest(MasterView cluster, Optional<String> server) throws BigtableException, InterruptedException {
        Deadline deadline = Deadline.after(session.scheduler().clock(), CALL_MILLIS);
        Map<String, CompletableFuture<Answer>> asked = new LinkedHashMap<>();
        for (ServerInfo line : cluster.servers()) {
            if (server.isEmpty() || isCalled(line, server.get())) {
                Request.Control request = new Request.Control(new TracesRequest(most, kind.orElse(null)));
                asked.put(line.address(), session.calls().send(Address.parse(line.address()), request, deadline));
            }
        }
        if (asked.isEmpty() && server.isPresent()) {
            throw new RejectedException("server " + server.get() + " is not among the living", "list those that live");
        }
        Map<Long, String> tables = tables();
        List<SlowRequest> all = new ArrayList<>();
        List<String> problems = new ArrayList<>();
        for (Map.Entry<String, CompletableFuture<Answer>> each : asked.entrySet()) {
            try {
                for (RequestTrace trace : traces(each.getKey(), each.getValue(), deadline)) {
                    all.add(SlowRequest.of(each.getKey(), tables.getOrDefault(trace.getTableId(), "?"), trace));
                }
            } catch (UnavailableException | OverloadedException silent) {
                problems.add("server " + each.getKey() + ": " + silent.getMessage());
            }
        }
        all.sort(Comparator.comparingLong((SlowRequest one) -> one.times().total())
                .reversed());
        return new SlowRequests(all.subList(0, Math.min(most, all.size())), problems);
    }

    /** The names of all that are there. */
    private Map<Long, String> tables() throws BigtableException {
        Map<Long, String> names = new HashMap<>();
        names.put(TableSchema.METADATA_ID, Admin.METADATA);
        session.schemas().all().forEach(table -> names.put(table.id(), table.name()));
        return names;
    }

    private List<RequestTrace> traces(String server, CompletableFuture<Answer> sent, Deadline deadline)
            throws BigtableException, InterruptedException {
        return session.calls()
                .control(Address.parse(server), sent, TraceList.class, deadline)
                .getTraces();
    }

    private static boolean isCalled(ServerInfo line, String name) {
        return line.id().equals(name) || line.address().equals(name);
    }
}
