package bt.testing;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.Failures;
import bt.base.Input;
import bt.base.Output;
import bt.base.UnavailableException;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Codec;
import bt.protocol.Request;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** One request on its way, and its answer on the way back. */
final class SimCall {
    private final SimNetwork network;
    private final SimProcess sender;
    private final Address to;
    private final long timeoutMillis;
    private final Consumer<Bytes> edge;
    private final CompletableFuture<Answer> answer = new CompletableFuture<>();

    SimCall(SimNetwork network, SimProcess sender, Address to, long timeoutMillis, Consumer<Bytes> edge) {
        this.network = network;
        this.sender = sender;
        this.to = to;
        this.timeoutMillis = timeoutMillis;
        this.edge = edge;
    }

    CompletableFuture<Answer> send(Request request) {
        Output encoded = new Output();
        Codec.encode(request, encoded);
        Bytes bytes = encoded.toBytes();
        network.scheduler().trace(bytes.hashCode());
        sender.after(
                timeoutMillis,
                () -> answer.completeExceptionally(
                        new UnavailableException(to + ": no answer within " + timeoutMillis + " ms")));
        SimFaults faults = network.faults();
        double fate = network.random().nextDouble();
        if (fate < faults.requestsLost()) {
            count(Mishap.REQUEST_LOST);
        } else if (fate < faults.requestsLost() + faults.requestsLate()) {
            count(Mishap.REQUEST_LATE);
            long late = timeoutMillis + network.random().nextLong(timeoutMillis);
            network.scheduler().living("network").after(late, () -> arrive(bytes));
        } else {
            network.later(sender, () -> arrive(bytes));
            if (fate > 1 - faults.requestsTwice()) {
                count(Mishap.REQUEST_TWICE);
                // Nobody hears what is answered to the copy.
                SimCall copy = new SimCall(network, sender, to, timeoutMillis, nobody -> {});
                network.muchLater(() -> copy.arrive(bytes));
            }
        }
        return answer;
    }

    private void arrive(Bytes request) {
        SimEndpoint endpoint = network.endpoint(to);
        if (endpoint == null) {
            network.later(() -> sender.soon(() -> answer.completeExceptionally(
                    new UnavailableException(to + ": connection refused", Outcome.NOT_APPLIED))));
        } else if (network.isCut(sender.name(), endpoint.process().name())) {
            count(cut(endpoint.process().name(), sender.name()));
        } else {
            endpoint.run(this, () -> handle(endpoint, request));
        }
    }

    /** On a worker of the process that is asked. */
    private void handle(SimEndpoint endpoint, Bytes bytes) {
        SimProcess asked = endpoint.process();
        long deadline = asked.clock().nanos() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
        try {
            Request request = Codec.decodeRequest(Input.of("request", bytes));
            Caller caller = new Caller(SimNetwork.userOf(sender.name()), sender.name(), deadline);
            CompletableFuture<?> unused = endpoint.service()
                    .handle(caller, request)
                    .whenComplete((value, failure) -> reply(endpoint, value, failure));
        } catch (BigtableException unreadable) {
            reply(endpoint, null, unreadable);
        }
    }

    private void reply(SimEndpoint endpoint, @Nullable Answer value, @Nullable Throwable failure) {
        if (endpoint.process().isOver()) {
            return;
        }
        boolean failed = value == null;
        Bytes bytes;
        try {
            bytes = encoded(value, failure);
            if (!SimNetwork.userOf(sender.name()).equals(SimNetwork.OWNER)) {
                UsersWords.numbered(value, failure).ifPresent(text -> {
                    throw new AssertionError("to a user: " + text);
                });
            }
        } catch (RuntimeException | AssertionError bug) {
            // Thrown on, it would vanish in the future that called us.
            network.scheduler().fail(endpoint.process().name() + " failed to handle a request", bug);
            return;
        }
        network.scheduler().trace(bytes.hashCode());
        endpoint.answered(this);
        double fate = network.random().nextDouble();
        if (fate < network.faults().answersLost()) {
            count(Mishap.ANSWER_LOST);
        } else if (fate > 1 - network.faults().answersOld()) {
            count(Mishap.ANSWER_OLD);
            network.muchLater(() -> comeBack(endpoint.process().name(), failed, bytes));
        } else {
            network.later(() -> comeBack(endpoint.process().name(), failed, bytes));
        }
    }

    private static Bytes encoded(@Nullable Answer value, @Nullable Throwable failure) {
        Output out = new Output();
        if (value != null) {
            Codec.encode(value, out);
        } else if (failure != null) {
            Codec.encode(Failures.rethrow(failure), out);
        } else {
            throw new IllegalStateException("the answer is null");
        }
        return out.toBytes();
    }

    private void comeBack(String from, boolean failed, Bytes bytes) {
        if (network.isCut(from, sender.name())) {
            count(cut(sender.name(), from));
        } else {
            sender.soon(() -> finish(failed, bytes));
        }
    }

    /** On a worker of the process that asked. */
    private void finish(boolean failed, Bytes bytes) {
        try {
            if (failed) {
                answer.completeExceptionally(Codec.decodeFailure(Input.of("failure", bytes)));
            } else if (!answer.isDone()) {
                Codec.edge(Input.of("answer", bytes)).ifPresent(edge);
                answer.complete(Codec.decodeAnswer(Input.of("answer", bytes)));
            }
        } catch (BigtableException unreadable) {
            answer.completeExceptionally(unreadable);
        }
    }

    /** The other side is gone, and what it did of the request nobody knows. */
    void reset() {
        network.later(() ->
                sender.soon(() -> answer.completeExceptionally(new UnavailableException(to + ": connection reset"))));
    }

    /** Of a way that is cut, by the state of the way back. */
    private Mishap cut(String backFrom, String backTo) {
        return network.isCut(backFrom, backTo) ? Mishap.CUT_BOTH_WAYS : Mishap.CUT_ONE_WAY;
    }

    private void count(Mishap mishap) {
        network.scheduler().count(mishap);
        network.scheduler().noteSmall("network, " + sender.name() + " to " + to + ": " + mishap);
    }
}
