package bt.tabletserver;

import bt.base.Bytes;
import bt.base.Failures;
import bt.base.OverloadedException;
import bt.model.RowRange;
import bt.protocol.Answer;
import bt.rpc.RpcNetwork;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;

/** Reads one large cell of a file as often at once as a server has read threads, in a JVM of its own. Says {@link #DONE} where all are answered. */
final class LargeReads {
    static final String DONE = "all were answered";

    private static final int READERS = 16;
    private static final int VALUE_BYTES = 32 << 20;
    private static final Bytes LARGE = Bytes.utf8("zlarge");

    private LargeReads() {}

    public static void main(String[] arguments) throws Exception {
        ServedTablet served = new ServedTablet(600_000, READERS, new ReadRoom());
        byte[] bytes = new byte[VALUE_BYTES];
        new Random(1).nextBytes(bytes);
        Bytes value = Bytes.wrap(bytes);
        served.write(LARGE, value);
        served.flush();
        try (RpcNetwork network = served.client()) {
            List<CompletableFuture<Boolean>> all = new ArrayList<>();
            for (int i = 0; i < READERS; i++) {
                CompletableFuture<Boolean> isSame = new CompletableFuture<>();
                all.add(isSame);
                ask(served, network, value, isSame);
            }
            for (CompletableFuture<Boolean> one : all) {
                if (!one.get()) {
                    throw new AssertionError("another value");
                }
            }
        }
        served.close();
        System.out.println(DONE);
        System.exit(0);
    }

    /** Until it is answered; what was read is looked at and let go. */
    private static void ask(ServedTablet served, RpcNetwork network, Bytes value, CompletableFuture<Boolean> isSame) {
        CompletableFuture<?> unused = served.send(network, ServedTablet.scan(RowRange.row(LARGE)))
                .whenComplete((answer, failure) -> {
                    if (failure == null) {
                        Answer.Page page = (Answer.Page) answer;
                        isSame.complete(page.cells().get(0).value().equals(value));
                    } else if (Failures.unwrap(failure) instanceof OverloadedException full) {
                        served.scheduler.after(full.retryAfterMillis(), () -> ask(served, network, value, isSame));
                    } else {
                        isSame.completeExceptionally(failure);
                    }
                });
    }
}
