package bt.client;

import java.util.List;

/**
 * Requests that several servers have traced, the slowest first, and which of the servers could not be asked, and why.
 * Section 9 of the paper tells what such traces were good for.
 */
public record SlowRequests(List<SlowRequest> slowest, List<String> problems) {
    public SlowRequests {
        slowest = List.copyOf(slowest);
        problems = List.copyOf(problems);
    }
}
