package bt.thrift.gateway;

import bt.base.ThreadScheduler;
import bt.client.Bigtable;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.command.UsageException;
import bt.connect.Connect;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@code bt thrift}: runs until it is interrupted, then answers the calls that are at work and ends. */
@picocli.CommandLine.Command(
        name = "thrift",
        description = "Runs a Thrift gateway, for programs in other languages (docs/thrift.md).",
        footerHeading = Command.EXAMPLES,
        footer = {"  bt thrift", "  bt thrift --port 0"})
public final class ThriftCommand implements Command {
    @Option(names = "--port", paramLabel = "PORT", description = "Default: the key thrift.port; 0 takes a free one.")
    private @Nullable Integer port;

    @Option(
            names = "--protocol",
            paramLabel = "PROTOCOL",
            description = "compact or binary, framed in either case (default: compact).")
    private Protocol protocol = Protocol.COMPACT;

    @Override
    public Group group() {
        return Group.CLUSTER;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        int wanted = port == null ? Integer.parseInt(invocation.setting("thrift.port")) : port;
        if (wanted < 0 || wanted > 65_535) {
            throw new UsageException("--port " + wanted, "a port lies between 0 and 65535: write one of those");
        }
        String host = invocation.setting("host");
        String cluster = invocation.setting("at");
        try (Bigtable bigtable = Connect.to(cluster);
                ThriftGateway gateway = ThriftGateway.start(bigtable, new GatewayConfig(host, wanted, protocol))) {
            ThreadScheduler.atExit("bt-thrift-end", gateway::close);
            invocation
                    .out()
                    .printf(
                            "ready: Thrift gateway of %s at %s:%d, framed, %s%n",
                            cluster, host, gateway.port(), protocol.name().toLowerCase(Locale.ROOT));
            invocation.out().flush();
            gateway.awaitEnd();
        }
        return ExitCode.DONE;
    }
}
