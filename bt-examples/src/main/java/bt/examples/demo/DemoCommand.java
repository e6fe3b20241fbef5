package bt.examples.demo;

import bt.base.ThreadScheduler;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import java.io.IOException;
import java.io.PrintStream;
import picocli.CommandLine.Option;

/** {@code bt demo}. */
@picocli.CommandLine.Command(
        name = "demo",
        description = {
            "Shows the whole system on real input: 5,710 web pages loaded and linked by MapReduce on a cluster on YARN,"
                    + " one of whose tablet servers is killed meanwhile.",
            "Takes a few minutes and needs 10 GiB of memory; the first time also Maven and the network."
        },
        footerHeading = Command.EXAMPLES,
        footer = {"  bt demo", "  bt demo --keep"})
public final class DemoCommand implements Command {
    private static final int ALL_PAGES = Integer.MAX_VALUE;

    @Option(names = "--keep", description = "Leaves the cluster running, and tells how to reach it.")
    private boolean keep;

    @Option(names = "--end", description = "Only ends what an earlier run left running.")
    private boolean end;

    @Option(
            names = "--sample",
            paramLabel = "N",
            description = "Takes only the first N pages of each of the four sites.")
    private int sample = ALL_PAGES;

    @Override
    public Group group() {
        return Group.DEVELOPMENT;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        if (sample < 1) {
            throw new UsageException("demo: --sample " + sample, "say how many pages, 1 or more");
        }
        Workspace workspace = Workspace.of(invocation.home());
        if (end) {
            int ended = Processes.endLeftOver(workspace);
            invocation.err().println(ended + " processes ended that a demo in " + workspace.directory() + " had left");
            return ended == 0 ? ExitCode.NOTHING_FOUND : ExitCode.DONE;
        }
        Screen screen = new Screen(invocation.err(), standardErrorIsATerminal());
        Processes processes = Processes.begin(workspace);
        Thread interrupted = new Thread(() -> endAll(processes), "end-of-demo");
        Runtime.getRuntime().addShutdownHook(interrupted);
        try (ThreadScheduler scheduler = new ThreadScheduler()) {
            Steps steps = new Steps(screen, scheduler.clock());
            Addresses at = Addresses.free();
            BtCommand bt = new BtCommand(workspace, processes);
            int code = run(new Demo.Ground(workspace, at, processes, bt, scheduler, sample), steps, screen, invocation);
            if (code == ExitCode.DONE && !keep) {
                processes.end();
                workspace.deleteData();
            }
            return code;
        } finally {
            processes.end();
        }
    }

    private int run(Demo.Ground ground, Steps steps, Screen screen, Invocation invocation) throws Exception {
        Report report = new Report();
        Checks checks = new Checks();
        boolean finished = false;
        try {
            Demo demo = new Demo(ground, steps, report, checks);
            demo.run();
            if (keep) {
                ground.processes().keep();
            } else {
                demo.stop();
            }
            finished = true;
        } finally {
            report.write(ground.workspace().report(), steps.done(), finished && checks.allHold());
        }
        summary(ground, steps, checks, screen);
        if (invocation.json()) {
            invocation.out().println(report.json());
        }
        return checks.allHold() ? ExitCode.DONE : ExitCode.NOTHING_FOUND;
    }

    private void summary(Demo.Ground ground, Steps steps, Checks checks, Screen screen) {
        screen.say("");
        for (Steps.Done step : steps.done()) {
            screen.say(Screen.line(step.name(), step.seconds(), step.result()));
        }
        screen.say(Screen.line("In all", steps.seconds(), checks.allHold() ? "every count is right" : "FAILED"));
        checks.failures().forEach(failure -> screen.say("wrong: " + failure));
        if (!checks.allHold()) {
            screen.say("wrong in all: " + checks.count());
        }
        screen.say("report: " + ground.workspace().report());
        if (keep) {
            screen.say("The cluster runs on. Reach it: " + ground.bt().prefix() + " bin/bt scan " + Webtable.NAME);
            screen.say("End it: bin/bt demo --end");
        }
    }

    /** Java 17 can tell only of standard input and output together. */
    private static boolean standardErrorIsATerminal() throws IOException, InterruptedException {
        return new ProcessBuilder("/bin/sh", "-c", "test -t 2")
                        .inheritIO()
                        .start()
                        .waitFor()
                == 0;
    }

    private static void endAll(Processes processes) {
        try {
            processes.end();
        } catch (IOException | InterruptedException failed) {
            PrintStream err = System.err;
            err.println("bt: not all processes of the demo could be ended: " + failed.getMessage());
        }
    }
}
