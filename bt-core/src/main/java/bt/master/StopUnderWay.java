package bt.master;

import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import bt.master.Commands.Command;
import bt.protocol.Answer;
import bt.record.ClusterStatus;
import bt.record.ClusterStatusRequest;
import bt.record.Done;
import bt.record.StopProcess;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.specific.SpecificRecord;

/**
 * What a master answers from the stop of its cluster on. Whoever asks it to stop again joins: the first answer may be lost, and
 * a stop may take longer than a client waits. Who asks how the cluster is sees what is left. The master's thread tells, any asks.
 */
final class StopUnderWay {
    private final CompletableFuture<Answer> end;
    private volatile ClusterStatus left;

    StopUnderWay(Command stop, ClusterStatus left) {
        this.end = stop.answer();
        this.left = left;
    }

    void tell(ClusterStatus now) {
        left = now;
    }

    void complete() {
        end.complete(new Answer.Control(new Done()));
    }

    CompletableFuture<Answer> answer(SpecificRecord message) {
        if (message instanceof StopProcess) {
            return end;
        }
        if (message instanceof ClusterStatusRequest) {
            return CompletableFuture.completedFuture(new Answer.Control(left));
        }
        return CompletableFuture.failedFuture(
                new UnavailableException("the cluster is being stopped", Outcome.NOT_APPLIED));
    }

    /** One that was asked before the stop and has had no answer. */
    void answer(Command waiting) {
        CompletableFuture<?> unused = answer(waiting.message()).whenComplete((answer, failure) -> {
            if (failure == null) {
                waiting.answer().complete(answer);
            } else {
                waiting.answer().completeExceptionally(failure);
            }
        });
    }
}
