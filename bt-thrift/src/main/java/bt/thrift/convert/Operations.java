package bt.thrift.convert;

import static bt.thrift.convert.Given.present;

import bt.base.RejectedException;
import bt.client.Operation;
import bt.thrift.gen.ErrorKind;
import bt.thrift.gen.OperationKind;
import bt.thrift.gen.Refusal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What takes long. */
public final class Operations {
    /** As many characters as the id of any operation may have, and more: what is longer is none, and not repeated. */
    private static final int MOST_CHARS = 1_000;

    /** What one, or a refusal, needs beside its texts and its row, in the wider of the two protocols. */
    private static final long OVERHEAD = 96;

    private Operations() {}

    /** An id that may be one. */
    public static String id(@Nullable String given) throws RejectedException {
        String id = present(given, "id");
        if (id.length() > MOST_CHARS) {
            throw new RejectedException(
                    "an operation has no id of " + id.length() + " characters",
                    "take one that listOperations tells, of those under way");
        }
        return id;
    }

    /** What may name a server. */
    public static String server(@Nullable String given) throws RejectedException {
        String server = present(given, "server");
        if (server.length() > MOST_CHARS) {
            throw new RejectedException(
                    "no server has a name of " + server.length() + " characters", "take one that listServers tells");
        }
        return server;
    }

    /** As it is sent, with as many of its refusals as so many bytes hold. */
    public static bt.thrift.gen.Operation of(Operation operation, long room) {
        bt.thrift.gen.Operation described = new bt.thrift.gen.Operation(
                operation.id(),
                kind(operation.kind()),
                operation.subject(),
                operation.tabletsLeft(),
                operation.isDone(),
                List.of());
        operation.millisLeft().ifPresent(described::setMillisLeft);
        operation.hindrance().map(Errors::cut).ifPresent(described::setHindrance);
        return described.setRefusals(fitting(operation.refusals(), room - bytes(described)));
    }

    private static List<Refusal> fitting(List<Operation.Refusal> refusals, long room) {
        List<Refusal> fitting = new ArrayList<>();
        long left = room;
        for (Operation.Refusal refusal : refusals) {
            Refusal described = of(refusal);
            left -= bytes(described);
            if (left < 0) {
                break;
            }
            fitting.add(described);
        }
        return fitting;
    }

    /** No fewer than it is sent with. */
    public static long bytes(bt.thrift.gen.Operation operation) {
        long bytes = OVERHEAD + Texts.bytes(operation.getId()) + Texts.bytes(operation.getSubject());
        if (operation.isSetHindrance()) {
            bytes += Texts.bytes(operation.getHindrance());
        }
        for (Refusal refusal : operation.getRefusals()) {
            bytes += bytes(refusal);
        }
        return bytes;
    }

    private static long bytes(Refusal refusal) {
        return OVERHEAD + Texts.bytes(refusal.getWhy()) + (refusal.isSetRow() ? refusal.getRow().length : 0);
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
            case SWEEP -> OperationKind.SWEEP;
        };
    }
}
