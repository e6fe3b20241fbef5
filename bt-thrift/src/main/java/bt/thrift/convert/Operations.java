package bt.thrift.convert;

import static bt.thrift.convert.Given.present;

import bt.base.RejectedException;
import bt.client.Operation;
import bt.thrift.gen.ErrorKind;
import bt.thrift.gen.OperationKind;
import bt.thrift.gen.Refusal;
import org.jspecify.annotations.Nullable;

/** What takes long. */
public final class Operations {
    /** As many characters as the id of any operation may have, and more: what is longer is none, and not repeated. */
    private static final int MOST_CHARS = 1_000;

    private Operations() {}

    /** An id that may be one. */
    public static String id(@Nullable String given) throws RejectedException {
        String id = present(given, "id");
        if (id.length() > MOST_CHARS) {
            throw new RejectedException("an operation has no id of " + id.length()
                    + " characters: listOperations tells those that are under way");
        }
        return id;
    }

    /** What may name a server. */
    public static String server(@Nullable String given) throws RejectedException {
        String server = present(given, "server");
        if (server.length() > MOST_CHARS) {
            throw new RejectedException(
                    "no server has a name of " + server.length() + " characters: tablets tells servers");
        }
        return server;
    }

    public static bt.thrift.gen.Operation of(Operation operation) {
        bt.thrift.gen.Operation described = new bt.thrift.gen.Operation(
                operation.id(),
                kind(operation.kind()),
                operation.subject(),
                operation.tabletsLeft(),
                operation.isDone(),
                operation.refusals().stream().map(Operations::of).toList());
        operation.millisLeft().ifPresent(described::setMillisLeft);
        operation.hindrance().map(Errors::cut).ifPresent(described::setHindrance);
        return described;
    }

    private static Refusal of(Operation.Refusal refusal) {
        Refusal described = new Refusal()
                .setKind(ErrorKind.findByValue(refusal.kind().number()))
                .setWhy(Errors.cut(refusal.why()));
        return refusal.row().isEmpty() ? described : described.setRow(Binaries.of(refusal.row()));
    }

    private static OperationKind kind(Operation.Kind kind) {
        return switch (kind) {
            case DRAIN -> OperationKind.DRAIN;
            case RECOVERY -> OperationKind.RECOVERY;
            case COMPACTION -> OperationKind.COMPACTION;
            case FLUSH -> OperationKind.FLUSH;
            case SPLIT -> OperationKind.SPLIT;
            case MERGE -> OperationKind.MERGE;
            case MOVE -> OperationKind.MOVE;
            case CREATION -> OperationKind.CREATION;
        };
    }
}
