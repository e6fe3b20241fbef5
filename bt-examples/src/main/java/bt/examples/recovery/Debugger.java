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

/** Stops one thread of a process for ever, while all others of it go on. */
final class Debugger {
    /** Of a process that was started without them no debugger can stop a thread, and it is as fast as ever. */
    static final List<String> OPTIONS =
            List.of("-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0");

    private Debugger() {}

    static void suspend(JavaProcess process, String name) throws IOException {
        VirtualMachine machine = attach(process.pid());
        ThreadReference thread = machine.allThreads().stream()
                .filter(each -> each.name().equals(name))
                .findFirst()
                .orElseThrow(
                        () -> new UnavailableException(process.name() + " has no thread " + name, Outcome.NOT_APPLIED));
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
}
