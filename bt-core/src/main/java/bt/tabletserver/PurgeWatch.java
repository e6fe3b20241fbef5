package bt.tabletserver;

import bt.base.Scheduler;
import bt.model.TabletId;
import bt.tablet.Census.Waiting;
import bt.tabletserver.TabletSet.Holding;
import java.util.HashSet;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the promises by when deleted data is off the disk, though nothing else happens to a tablet: looks at each once a
 * minute, has its memtable written and its files compacted where it is time, and says when a promise is broken. So a
 * compaction that had to leave something is followed by another as soon as that may go. And files that wait for others to be merged with
 * are merged where the server has become short of memory meanwhile. One thread.
 */
final class PurgeWatch {
    private static final Logger log = LoggerFactory.getLogger(PurgeWatch.class);
    private static final long LOOK_MILLIS = 60_000;
    private static final long SECOND_MICROS = 1_000_000;

    private final Scheduler scheduler;
    private final TabletSet tablets;
    private final TabletMemory memory;
    private final Compactor compactor;
    private final AnsweredWrites answered;
    private final Set<Broken> broken = new HashSet<>();

    PurgeWatch(
            Scheduler scheduler, TabletSet tablets, TabletMemory memory, Compactor compactor, AnsweredWrites answered) {
        this.scheduler = scheduler;
        this.tablets = tablets;
        this.memory = memory;
        this.compactor = compactor;
        this.answered = answered;
    }

    private record Broken(TabletId tablet, int family) {}

    void run() throws InterruptedException {
        while (true) {
            scheduler.pause(LOOK_MILLIS);
            memory.look();
            broken.removeIf(promise ->
                    tablets.get(promise.tablet).flatMap(Holding::tablet).isEmpty());
            for (Holding holding : tablets.all()) {
                holding.tablet().ifPresent(this::look);
            }
        }
    }

    private void look(HostedTablet hosted) {
        if (hosted.tablet().compactions().flushIsDue()) {
            compactor.requestDue(hosted);
        }
        compactor.look(hosted);
        answered.look(hosted);
        Set<Integer> now = new HashSet<>();
        for (Waiting waiting : hosted.tablet().census().waiting()) {
            if (waiting.isTooLong()) {
                now.add(waiting.family().id());
                if (broken.add(new Broken(hosted.id(), waiting.family().id()))) {
                    log.warn(
                            "{}: family {}: what should be off the disk within {} s waits for {} s",
                            hosted.id(),
                            waiting.family().name(),
                            waiting.family().purgeMicros().orElseThrow() / SECOND_MICROS,
                            waiting.longestMicros() / SECOND_MICROS);
                }
            }
        }
        broken.removeIf(promise -> promise.tablet.equals(hosted.id()) && !now.contains(promise.family));
    }
}
