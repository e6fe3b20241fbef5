package bt.examples.demo;

import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import java.util.List;
import java.util.Optional;

/** Kills a tablet server with SIGKILL when a job is some way through. One thread. */
final class Killing implements RunningJob.Meanwhile {
    private static final double AT_PROGRESS = 0.3;

    private final long pid;
    private final Steps steps;
    private final Bar bar;
    private Optional<Killed> killed = Optional.empty();

    Killing(List<ContainerStatus> containers, Steps steps, Bar bar) throws UnavailableException {
        this.pid = containers.stream()
                .filter(ContainerStatus::isTabletServer)
                .findFirst()
                .orElseThrow(() -> new UnavailableException("no tablet server runs to be killed", Outcome.NOT_APPLIED))
                .pid();
        this.steps = steps;
        this.bar = bar;
    }

    /** The process, and the second of the demo in which it died. */
    record Killed(long pid, double second) {}

    @Override
    public void at(double progress) {
        if (killed.isEmpty() && progress >= AT_PROGRESS && progress < 1) {
            ProcessHandle.of(pid).ifPresent(server -> {
                if (server.destroyForcibly()) {
                    killed = Optional.of(new Killed(pid, steps.seconds()));
                    bar.note("killed tablet server, process " + pid);
                }
            });
        }
    }

    /** UNAVAILABLE when the job was over before. */
    Killed killed() throws UnavailableException {
        return killed.orElseThrow(() -> new UnavailableException(
                "the job ended before the tablet server of process " + pid + " could be killed", Outcome.NOT_APPLIED));
    }
}
