package bt.yarn.app;

import bt.base.BigtableException;
import bt.base.Mailbox;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.yarn.launch.Launch;
import bt.yarn.spec.Application;
import bt.yarn.spec.ClusterFiles;
import bt.yarn.spec.ClusterSpec;
import bt.yarn.spec.Held;
import bt.yarn.spec.Role;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.yarn.api.protocolrecords.AllocateResponse;
import org.apache.hadoop.yarn.api.records.ApplicationAttemptId;
import org.apache.hadoop.yarn.api.records.Container;
import org.apache.hadoop.yarn.api.records.ContainerStatus;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the processes of a cluster alive: one loop, its owner, that hears what YARN and the lock service say, asks the
 * {@link Plan} and does it. It holds nothing that its next attempt could not find out: a container's role is its
 * priority, and the wish to stop lies in the lock service. Reads and writes of tables do not notice its death.
 */
final class ApplicationMaster implements Action.Hands {
    private static final Logger log = LoggerFactory.getLogger(ApplicationMaster.class);
    private static final long HEARTBEAT_MILLIS = 500;
    private static final int EVENTS_BOUND = 10_000;

    private final ApplicationAttemptId attempt;
    private final ClusterSpec spec;
    private final Yarn yarn;
    private final Launch launch;
    private final ClusterFiles files;
    private final StopWatcher stopWatcher;
    private final Obituaries obituaries;
    private final Drainer drainer;
    private final Scheduler.WorkerPool launchers;
    private final Mailbox<Runnable> events;
    private final Fleet fleet;
    private final Leaving leaving = new Leaving();
    private final Problems problems = new Problems();
    private final Map<String, Container> containers = new HashMap<>();
    private Optional<Application> published = Optional.empty();
    private boolean lockServiceAnswers = true;
    private boolean finished;

    /** What an application master works with. */
    record Tools(
            Yarn yarn,
            Launch launch,
            ClusterFiles files,
            StopWatcher stopWatcher,
            Obituaries obituaries,
            Drainer drainer) {}

    ApplicationMaster(
            ApplicationAttemptId attempt,
            ClusterSpec spec,
            Tools tools,
            Scheduler scheduler,
            Scheduler.WorkerPool pool) {
        this.attempt = attempt;
        this.spec = spec;
        this.yarn = tools.yarn();
        this.launch = tools.launch();
        this.files = tools.files();
        this.stopWatcher = tools.stopWatcher();
        this.obituaries = tools.obituaries();
        this.drainer = tools.drainer();
        this.launchers = pool;
        this.events = scheduler.mailbox(EVENTS_BOUND);
        this.fleet = new Fleet(scheduler.clock());
    }

    /** Runs until the cluster has ended as asked. REJECTED when another attempt or application has taken its place. */
    void run(String host) throws IOException, YarnException, InterruptedException {
        adopt(yarn.register(host));
        // After the beginning, from which on changes are told: of none that comes between them nobody hears.
        leaving.began(yarn.decommissioning());
        Stop stop = Stop.NOT_ASKED;
        while (!finished) {
            hear(yarn.heartbeat());
            stop = lookForStop(stop);
            for (Action action : Plan.next(spec, fleet.observed(stop))) {
                action.by(this);
            }
            publish();
            Runnable event = events.poll(HEARTBEAT_MILLIS);
            while (event != null) {
                event.run();
                event = events.poll(0);
            }
        }
        yarn.finish("stopped as asked");
    }

    private void adopt(List<Container> earlier) {
        for (Container container : earlier) {
            held(container, Held.State.RUNNING).ifPresent(held -> {
                log.info(
                        "{} {} on {} runs since an earlier attempt", held.role().command(), held.id(), held.host());
                containers.put(held.id(), container);
                fleet.adopted(held);
            });
        }
    }

    private void hear(AllocateResponse said) {
        adopt(said.getContainersFromPreviousAttempts());
        for (Container container : said.getAllocatedContainers()) {
            Optional<Held> granted = held(container, Held.State.GRANTED);
            if (granted.isEmpty()) {
                yarn.giveBack(container.getId());
                continue;
            }
            containers.put(granted.get().id(), container);
            yarn.withdraw(granted.get().role(), 1);
            fleet.granted(granted.get());
        }
        fleet.leaves(leaving.hear(said, containers.values()));
        for (ContainerStatus status : said.getCompletedContainersStatuses()) {
            String id = status.getContainerId().toString();
            containers.remove(id);
            fleet.completed(id).ifPresent(held -> ended(held, status));
        }
    }

    private void ended(Held held, ContainerStatus status) {
        if (held.state() == Held.State.GRANTED) {
            return;
        }
        obituaries.ended(held, status);
        String line = Problems.ended(held, status);
        if (status.getExitStatus() == 0) {
            log.info("{}", line);
        } else {
            log.warn("{}", line);
            problems.add(line);
        }
        try {
            files.forgetProcess(held.id());
        } catch (BigtableException failed) {
            // Nobody looks for the process of a container that is gone, and the end of the cluster deletes it.
            log.info("what {} said of itself stays: {}", held.id(), failed.getMessage());
        }
    }

    private Stop lookForStop(Stop last) {
        try {
            return stopWatcher.look();
        } catch (BigtableException failed) {
            silent(failed);
            return last;
        }
    }

    private void publish() throws RejectedException {
        Application now =
                new Application(application(), attempt.getAttemptId(), spec.servers(), fleet.held(), problems.newest());
        if (published.filter(now::equals).isPresent()) {
            return;
        }
        try {
            files.publish(now);
            published = Optional.of(now);
            lockServiceAnswers = true;
        } catch (RejectedException superseded) {
            throw superseded;
        } catch (BigtableException failed) {
            silent(failed);
        }
    }

    /** Without the lock service the cluster keeps running as it is: there is nothing to do but to try again. */
    private void silent(BigtableException failed) {
        if (lockServiceAnswers) {
            log.warn("the lock service: {}", failed.getMessage());
        }
        lockServiceAnswers = false;
    }

    @Override
    public void ask(Role role, int count) {
        log.info("asking for {} of {}", count, role.command());
        yarn.ask(role, count, role == Role.MASTER ? fleet.hosts(role) : Set.of());
        fleet.asked(role, count);
    }

    @Override
    public void withdraw(Role role, int count) {
        yarn.withdraw(role, count);
        fleet.asked(role, -count);
    }

    @Override
    public void launch(Held held) {
        Container container = containers.get(held.id());
        if (container == null) {
            throw new IllegalStateException(held.id() + " was never granted");
        }
        log.info("starting {} in {} on {}", held.role().command(), held.id(), held.host());
        fleet.moved(held.id(), Held.State.STARTING);
        launchers.execute(() -> events.offer(started(held, container)));
    }

    /** On a launcher's thread; what is to be done about the outcome is the loop's. */
    private Runnable started(Held held, Container container) {
        try {
            yarn.start(
                    container,
                    launch.of(spec.megabytes(held.role()), List.of(held.role().command())));
            return () -> fleet.moved(held.id(), Held.State.RUNNING);
        } catch (IOException | YarnException failed) {
            String line = held.role().command() + " " + held.id() + " on " + held.host() + " did not start"
                    + Problems.oneLine(failed.getMessage());
            log.warn("{}", line);
            return () -> {
                problems.add(line);
                // It may run all the same: given back, it is killed for certain.
                giveBack(held);
            };
        }
    }

    @Override
    public void giveBack(Held held) {
        Container container = containers.get(held.id());
        if (container != null) {
            fleet.moved(held.id(), Held.State.ENDING);
            yarn.giveBack(container.getId());
        }
    }

    /** Meanwhile it ends, and is in the way of no other: should this attempt end before, the next one begins anew. */
    @Override
    public void retire(Held held) {
        log.info("{} {} on {} is to go: drained", held.role().command(), held.id(), held.host());
        fleet.moved(held.id(), Held.State.ENDING);
        drainer.drain(held, () -> events.offer(() -> giveBack(held)));
    }

    @Override
    public void stopCluster() {
        stopWatcher.tellMaster();
    }

    @Override
    public void finish() {
        finished = true;
    }

    private String application() {
        return attempt.getApplicationId().toString();
    }

    private static Optional<Held> held(Container container, Held.State state) {
        return Role.ofPriority(container.getPriority().getPriority())
                .map(role -> new Held(
                        container.getId().toString(),
                        role,
                        container.getNodeId().getHost(),
                        state));
    }
}
