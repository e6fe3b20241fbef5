package bt.yarn.submit;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.Scheduler;
import bt.base.UnavailableException;
import bt.client.Bigtable;
import bt.client.MasterView;
import bt.client.ServerInfo;
import bt.connect.Connect;
import bt.yarn.spec.Application;
import bt.yarn.spec.ClusterFiles;
import bt.yarn.spec.ClusterSpec;
import bt.yarn.spec.Held;
import java.io.PrintStream;
import java.util.Optional;
import org.apache.hadoop.yarn.api.records.ApplicationReport;
import org.apache.hadoop.yarn.api.records.YarnApplicationState;

/** From submitted to serving: waits, and says what for whenever that changes. */
final class ReadyWait {
    private static final long PAUSE_MILLIS = 300;

    private final ResourceManager yarn;
    private final ClusterFiles files;
    private final Scheduler scheduler;
    private final PrintStream talk;
    private String said = "";

    ReadyWait(ResourceManager yarn, ClusterFiles files, Scheduler scheduler, PrintStream talk) {
        this.yarn = yarn;
        this.files = files;
        this.scheduler = scheduler;
        this.talk = talk;
    }

    /**
     * Until all containers run and a master answers with every server living and every tablet assigned. UNAVAILABLE when the application
     * ends, or the time is over.
     */
    void await(String cluster, String id, ClusterSpec spec, long timeoutMillis)
            throws BigtableException, InterruptedException {
        Deadline deadline = Deadline.after(scheduler.clock(), timeoutMillis);
        while (true) {
            ApplicationReport report = yarn.report(id).orElseThrow(() -> ended(id, "YARN does not know it", ""));
            if (ResourceManager.isOver(report)) {
                throw ended(id, "it is " + report.getYarnApplicationState(), report.getDiagnostics());
            }
            String state = "waits for YARN to start its application master";
            Optional<Application> application = Optional.empty();
            if (report.getYarnApplicationState() == YarnApplicationState.RUNNING) {
                application = files.read().map(ClusterFiles.Known::application);
                state = progress(cluster, application, spec);
            }
            if (state.isEmpty()) {
                return;
            }
            say(id + " " + state);
            if (deadline.isOver()) {
                throw late(id, state, timeoutMillis, report, application);
            }
            scheduler.pause(PAUSE_MILLIS);
        }
    }

    /** What the cluster waits for; empty when for nothing. */
    private static String progress(String cluster, Optional<Application> application, ClusterSpec spec) {
        long running = application.stream()
                .flatMap(known -> known.containers().stream())
                .filter(held -> held.state() == Held.State.RUNNING)
                .count();
        if (running < spec.processes()) {
            return "has " + running + " of " + spec.processes() + " containers running";
        }
        try (Bigtable bigtable = Connect.to(cluster)) {
            MasterView status = bigtable.admin().clusterStatus();
            long alive = status.servers().stream().filter(ServerInfo::isAlive).count();
            if (alive < spec.servers()) {
                return "has " + alive + " of " + spec.servers() + " tablet servers alive";
            }
            return status.unassigned() == 0 ? "" : "has " + status.unassigned() + " tablets to assign";
        } catch (BigtableException notYet) {
            return "waits for its master";
        }
    }

    private void say(String line) {
        if (!line.equals(said)) {
            talk.println(line);
            said = line;
        }
    }

    private static UnavailableException ended(String id, String fact, String diagnostics) {
        return new UnavailableException(
                id + ": " + fact + ", " + Refusals.oneLine(diagnostics) + " (yarn logs -applicationId " + id + ")",
                Outcome.NOT_APPLIED);
    }

    private UnavailableException late(
            String id, String state, long timeoutMillis, ApplicationReport report, Optional<Application> application)
            throws BigtableException {
        String why = application
                .flatMap(known -> known.problems().stream().reduce((older, newer) -> newer))
                .orElse(Refusals.oneLine(report.getDiagnostics()));
        if (application.isEmpty()) {
            // Nothing runs that anybody could use: it would come up when nobody expects it any more.
            yarn.kill(id);
        }
        return new UnavailableException(
                id + " " + state + " for " + timeoutMillis / 1_000 + " s: " + why
                        + (application.isEmpty() ? "" : " (bt cluster status shows it, bt cluster stop ends it)"),
                Outcome.UNKNOWN);
    }
}
