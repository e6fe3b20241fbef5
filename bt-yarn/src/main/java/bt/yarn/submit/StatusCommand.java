package bt.yarn.submit;

import bt.base.BigtableException;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.connect.Connect;
import bt.coord.LockService;
import bt.record.ProcessFile;
import bt.yarn.spec.Application;
import bt.yarn.spec.ClusterFiles;
import bt.yarn.spec.Held;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.PrintStream;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * {@code bt cluster status}: what the application master holds, and what each process says of itself. The lock service
 * knows both, so it needs no ResourceManager.
 */
@picocli.CommandLine.Command(
        name = "status",
        description = "Shows the processes of a cluster on YARN.",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt cluster status"})
public final class StatusCommand implements Command {
    private static final String ROW = "%-13s %-9s %-42s %-24s %8s  %s%n";

    @Override
    public Group group() {
        return Group.CLUSTER;
    }

    @Override
    public int run(Invocation invocation) throws BigtableException {
        String cluster = invocation.setting("at");
        try (LockService locks = Connect.lockService(cluster)) {
            ClusterFiles files = new ClusterFiles(locks);
            Optional<Application> application = files.read().map(ClusterFiles.Known::application);
            if (application.isEmpty()) {
                invocation.err().println("no application of YARN runs " + cluster);
                return ExitCode.NOTHING_FOUND;
            }
            print(invocation, files, application.get());
            return ExitCode.DONE;
        }
    }

    private static void print(Invocation invocation, ClusterFiles files, Application application)
            throws BigtableException {
        PrintStream out = invocation.out();
        if (!invocation.json()) {
            out.println(application.id() + ", attempt " + application.attempt() + " of its application master");
            out.printf(ROW, "ROLE", "STATE", "CONTAINER", "HOST", "PID", "ADDRESS");
        }
        for (Held held : application.containers()) {
            Optional<ProcessFile> process = files.process(held.id());
            if (invocation.json()) {
                out.println(json(held, process));
            } else {
                out.printf(
                        ROW,
                        held.role().command(),
                        held.state().name().toLowerCase(java.util.Locale.ROOT),
                        held.id(),
                        held.host(),
                        process.map(said -> String.valueOf(said.getPid())).orElse("-"),
                        process.map(ProcessFile::getAddress).orElse("-"));
            }
        }
        application.problems().forEach(problem -> invocation.err().println("lately: " + problem));
    }

    private static String json(Held held, Optional<ProcessFile> process) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("role", held.role().command());
        document.put("state", held.state().name());
        document.put("container", held.id());
        document.put("host", held.host());
        process.ifPresent(said -> {
            document.put("pid", said.getPid());
            document.put("address", said.getAddress());
        });
        try {
            return new ObjectMapper().writeValueAsString(document);
        } catch (JsonProcessingException impossible) {
            throw new AssertionError("a map of strings and numbers is JSON", impossible);
        }
    }
}
