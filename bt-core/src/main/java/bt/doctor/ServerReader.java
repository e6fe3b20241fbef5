package bt.doctor;

import bt.base.BigtableException;
import bt.base.CorruptionException;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.doctor.ServerSight.Answered;
import bt.metadata.ProcessFiles;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.protocol.WholeStatus;
import bt.record.ServerStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/** Who has a server file, and what each says of itself. One thread. */
final class ServerReader {
    private static final long ANSWER_MILLIS = 5_000;

    /** Asked at a time: what they answer is in memory together. */
    private static final int AT_ONCE = 64;

    private final LockService locks;
    private final Network network;
    private final Scheduler scheduler;
    private long longestLeaseMillis;

    ServerReader(LockService locks, Network network, Scheduler scheduler) {
        this.locks = locks;
        this.network = network;
        this.scheduler = scheduler;
    }

    /** Of those that were seen, as far as their files tell. */
    long longestLeaseMillis() {
        return longestLeaseMillis;
    }

    /** Those that have a file, not asked yet. */
    List<ServerSight> roll() throws BigtableException {
        List<ServerSight> servers = new ArrayList<>();
        for (String id : locks.children(Paths.SERVERS)) {
            Optional<SmallFile> file = locks.read(Paths.server(id));
            if (file.isPresent()) {
                boolean locked = !locks.children(Paths.server(id)).isEmpty();
                servers.add(sight(id, file.get(), locked));
            }
        }
        return servers;
    }

    /** Takes what a server answered, by its place in the list. */
    @FunctionalInterface
    interface Hearer {
        void hear(int server, ServerStatus status);
    }

    /** Asks all of them: the same list, with who answered. */
    List<ServerSight> ask(List<ServerSight> servers, Hearer hearer) throws InterruptedException {
        List<ServerSight> asked = new ArrayList<>();
        for (int from = 0; from < servers.size(); from += AT_ONCE) {
            int first = from;
            List<ServerSight> some = servers.subList(from, Math.min(servers.size(), from + AT_ONCE));
            asked.addAll(askTogether(some, (server, status) -> hearer.hear(first + server, status)));
        }
        return asked;
    }

    /** Whose list goes on is asked again at once. */
    private List<ServerSight> askTogether(List<ServerSight> servers, Hearer hearer) throws InterruptedException {
        List<ServerSight> asked = new ArrayList<>(servers);
        Map<Integer, WholeStatus> open = new TreeMap<>();
        for (int i = 0; i < servers.size(); i++) {
            open.put(i, new WholeStatus());
        }
        while (!open.isEmpty()) {
            Map<Integer, CompletableFuture<Answer>> answers = new TreeMap<>();
            open.forEach((place, told) -> answers.put(place, send(servers.get(place), told)));
            for (Map.Entry<Integer, CompletableFuture<Answer>> answer : answers.entrySet()) {
                int place = answer.getKey();
                WholeStatus told = Objects.requireNonNull(open.get(place));
                Optional<ServerSight> seen =
                        await(servers.get(place), answer.getValue(), told, status -> hearer.hear(place, status));
                if (seen.isPresent()) {
                    asked.set(place, seen.get());
                    open.remove(place);
                }
            }
        }
        return asked;
    }

    /** As it is now, asked; empty where it has no file under that epoch. */
    Optional<ServerSight> look(String id, long epoch, Consumer<ServerStatus> heard)
            throws BigtableException, InterruptedException {
        Optional<SmallFile> file = id.isEmpty() ? Optional.empty() : locks.read(Paths.server(id));
        if (file.isEmpty() || file.get().createdTransaction() != epoch) {
            return Optional.empty();
        }
        ServerSight server = sight(id, file.get(), true);
        return Optional.of(askTogether(List.of(server), (first, status) -> heard.accept(status))
                .get(0));
    }

    private CompletableFuture<Answer> send(ServerSight server, WholeStatus told) {
        if (server.address().isEmpty()) {
            return CompletableFuture.failedFuture(new UnavailableException("its id is none that a server has"));
        }
        return network.send(server.address().get(), new Request.Control(told.question()), ANSWER_MILLIS);
    }

    /** Empty while its list goes on: nothing may be decided by a part of it. */
    private Optional<ServerSight> await(
            ServerSight server, CompletableFuture<Answer> sent, WholeStatus told, Consumer<ServerStatus> heard)
            throws InterruptedException {
        try {
            Answer answer = scheduler.await(sent, ANSWER_MILLIS + 1_000);
            if (answer instanceof Answer.Control control && control.message() instanceof ServerStatus status) {
                Optional<ServerStatus> whole = told.hear(status);
                whole.ifPresent(heard);
                return whole.map(says ->
                        server.answering(new Answered(says.getEpoch(), says.getLockHeld(), says.getAccessVersion())));
            }
            throw new UnavailableException("answered something else than its status");
        } catch (RejectedException | OverloadedException refused) {
            return Optional.of(server.refusing(refused.getMessage()));
        } catch (BigtableException silent) {
            return Optional.of(server.silent(silent.getMessage()));
        }
    }

    /** Of a damaged file too: its name says again where the server listens. */
    private ServerSight sight(String id, SmallFile file, boolean locked) {
        Optional<Address> address;
        Optional<String> damage = Optional.empty();
        try {
            ProcessFiles.Server says = ProcessFiles.server(id, file);
            address = Optional.of(says.address());
            longestLeaseMillis = Math.max(longestLeaseMillis, says.leaseMillis());
        } catch (CorruptionException damaged) {
            address = ProcessFiles.address(id);
            damage = Optional.of(String.valueOf(damaged.getMessage()));
        }
        return new ServerSight(
                id, address, file.createdTransaction(), locked, damage, Optional.empty(), "was not asked");
    }
}
