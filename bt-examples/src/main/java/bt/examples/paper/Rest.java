package bt.examples.paper;

import bt.base.ThreadScheduler;
import java.io.IOException;
import java.io.PrintStream;
import java.util.List;

/** Waits until tablet servers have nothing left over from what was before. One thread. */
final class Rest {
    private static final long LOOK_MILLIS = 500;
    private static final int MOST_LOOKS = 240;

    /** Of one core, for each server of this machine. */
    private static final double MOST_CPU = 0.15;

    private final Site site;
    private final ServerLooks looks;
    private final ThreadScheduler scheduler;
    private final PrintStream progress;

    Rest(Site site, ServerLooks looks, ThreadScheduler scheduler, PrintStream progress) {
        this.site = site;
        this.looks = looks;
        this.scheduler = scheduler;
        this.progress = progress;
    }

    /** Until no compaction is at work; and where the servers run on this machine, nor anything else in them. */
    void before(String what) throws IOException, InterruptedException {
        List<Long> servers = site.servers();
        progress.println(what + ", waiting for compactions");
        for (int i = 0; i < MOST_LOOKS; i++) {
            double before = ProcessUse.cpuSeconds(servers);
            scheduler.pause(LOOK_MILLIS);
            double cpu = (ProcessUse.cpuSeconds(servers) - before) * 1e3 / LOOK_MILLIS;
            if (cpu <= MOST_CPU * servers.size() && !looks.now().isCompacting()) {
                return;
            }
        }
        progress.println(what + ", beginning though the servers are still at work");
    }
}
