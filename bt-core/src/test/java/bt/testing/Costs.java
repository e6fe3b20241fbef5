package bt.testing;

import bt.protocol.Answer;
import bt.protocol.Request;
import bt.record.ServerStatus;
import java.util.concurrent.atomic.AtomicLong;

/** What answers to one process come to that grow with the tablets of a cluster. Any thread. */
final class Costs {
    private final AtomicLong tabletsTold = new AtomicLong();

    void count(Request request, Answer answer) {
        if (answer instanceof Answer.Control control && control.message() instanceof ServerStatus status) {
            tabletsTold.addAndGet(status.getTablets().size());
        }
    }

    /** Of how many tablets servers have told it, each as often as it was told. */
    long tabletsTold() {
        return tabletsTold.get();
    }
}
