package bt.thrift.convert;

import bt.client.MasterView;
import bt.client.ServerInfo;
import bt.thrift.gen.Server;
import java.util.ArrayList;
import java.util.List;

/** Tablet servers, which only ever go out. */
public final class Servers {
    /** What a server, or a problem, needs beside its texts, in the wider of the two protocols. */
    private static final long OVERHEAD = 64;

    private Servers() {}

    /** No fewer than the servers are sent with. */
    public static long bytes(MasterView cluster) {
        return cluster.servers().stream()
                .mapToLong(server -> OVERHEAD + Texts.bytes(server.address()) + Texts.bytes(server.id()))
                .sum();
    }

    /** As they are sent, with as many of the problems as so many bytes hold. */
    public static bt.thrift.gen.Servers of(MasterView cluster, long room) {
        long left = room - bytes(cluster);
        List<String> problems = new ArrayList<>();
        for (String problem : cluster.problems()) {
            String told = Errors.cut(problem);
            left -= OVERHEAD + Texts.bytes(told);
            if (left < 0) {
                break;
            }
            problems.add(told);
        }
        return new bt.thrift.gen.Servers(
                cluster.servers().stream().map(Servers::of).toList(), cluster.unassigned(), problems);
    }

    private static Server of(ServerInfo server) {
        return new Server(server.address(), server.id(), server.isAlive(), server.tablets(), server.isDraining());
    }
}
