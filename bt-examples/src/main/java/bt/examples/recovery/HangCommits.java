package bt.examples.recovery;

import static java.util.Objects.requireNonNull;

import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import bt.examples.cluster.JavaProcess;
import com.sun.jdi.Bootstrap;
import com.sun.jdi.ThreadReference;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.IllegalConnectorArgumentsException;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The commit thread of a tablet server stops for ever, by a debugger: all other threads of the process go on, those that
 * keep its session and its lease alive too. The server must notice, and end by itself.
 */
final class HangCommits implements Event {
    private static final List<String> DEBUGGABLE =
            List.of("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0");

    private static final String THREAD = "commit";
    private static final long END_MILLIS = 60_000;

    private @Nullable JavaProcess victim;

    @Override
    public Filling prepare(Scene scene) throws IOException, InterruptedException {
        JavaProcess debugged = replaceByADebuggable(scene);
        victim = debugged;
        return new Filling(scene.restingOn(debugged), scene.fillingBytes());
    }

    /** Of all others no debugger can stop a thread, and they are as fast as ever. */
    private static JavaProcess replaceByADebuggable(Scene scene) throws IOException, InterruptedException {
        JavaProcess replaced = scene.userServer();
        scene.cluster().killServer(replaced);
        scene.cluster().bigtable().admin().processExited(replaced.name());
        List<JavaProcess> others = List.copyOf(scene.cluster().servers());
        scene.cluster().replaceEnded(DEBUGGABLE);
        scene.cluster().awaitWhole();
        scene.table().spread(scene.cluster().addresses());
        return scene.cluster().servers().stream()
                .filter(server -> !others.contains(server))
                .findFirst()
                .orElseThrow();
    }

    @Override
    public void strike(Scene scene) throws IOException, InterruptedException {
        JavaProcess hung = requireNonNull(victim, "prepare chooses it");
        suspend(hung);
        scene.awaitEnd(hung, END_MILLIS, "without its thread " + THREAD);
        List<JavaProcess> unused = scene.cluster().replaceEnded(List.of());
    }

    private static void suspend(JavaProcess process) throws IOException {
        VirtualMachine machine = attach(process.pid());
        ThreadReference thread = machine.allThreads().stream()
                .filter(each -> each.name().equals(THREAD))
                .findFirst()
                .orElseThrow(() ->
                        new UnavailableException(process.name() + " has no thread " + THREAD, Outcome.NOT_APPLIED));
        // For as long as the debugger stays: it goes with the process.
        thread.suspend();
    }

    private static VirtualMachine attach(long pid) throws IOException {
        AttachingConnector connector = Bootstrap.virtualMachineManager().attachingConnectors().stream()
                .filter(each -> each.name().equals("com.sun.jdi.ProcessAttach"))
                .findFirst()
                .orElseThrow(() -> new UnavailableException(
                        "this JVM has no debugger for processes: a JDK has one", Outcome.NOT_APPLIED));
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        requireNonNull(arguments.get("pid"), "what it attaches to").setValue(Long.toString(pid));
        try {
            return connector.attach(arguments);
        } catch (IllegalConnectorArgumentsException refused) {
            throw new UnavailableException(
                    "process " + pid + " takes no debugger: " + refused.getMessage(), Outcome.NOT_APPLIED);
        }
    }

    @Override
    public void restore(Scene scene) throws IOException, InterruptedException {
        scene.cluster().makeWhole();
    }
}
