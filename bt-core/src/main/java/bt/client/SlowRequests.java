package bt.client;

import bt.record.RequestTrace;
import java.util.List;

/** Traces of requests to several servers, the slowest first, and which of the servers could not be asked, and why. */
public record SlowRequests(List<SlowRequest> slowest, List<String> problems) {
    public SlowRequests {
        slowest = List.copyOf(slowest);
        problems = List.copyOf(problems);
    }

    /** One, at the server of this address. */
    public record SlowRequest(String server, RequestTrace trace) {}
}
