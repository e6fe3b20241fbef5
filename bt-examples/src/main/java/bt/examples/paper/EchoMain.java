package bt.examples.paper;

import static java.nio.charset.StandardCharsets.UTF_8;

import bt.base.Bytes;
import bt.base.Clock;
import bt.model.Cell;
import bt.protocol.Answer;
import bt.protocol.Caller;
import bt.protocol.Request;
import bt.protocol.Service;
import bt.rpc.RpcLimits;
import bt.rpc.RpcServer;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A server that has nothing behind its port: a read is answered with as many rows of 1,000 bytes as it asks for, the same
 * ones again and again. It prints where it listens; the end of its input is its end.
 */
public final class EchoMain implements Service {
    private final Map<Integer, Answer.Page> pages = new ConcurrentHashMap<>();

    private EchoMain() {}

    public static void main(String[] words) throws IOException {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), true, UTF_8);
        try (RpcServer server = RpcServer.start("127.0.0.1", 0, new EchoMain(), Clock.system(), RpcLimits.DEFAULT)) {
            answers.println(server.address());
            while (System.in.read() >= 0) {
                // Nothing is said to it.
            }
        }
        Runtime.getRuntime().halt(0);
    }

    @Override
    public CompletableFuture<? extends Answer> handle(Caller caller, Request request) {
        int rows = ((Request.Scan) request).bounds().rows();
        return CompletableFuture.completedFuture(pages.computeIfAbsent(rows, EchoMain::page));
    }

    private static Answer.Page page(int rows) {
        SplittableRandom random = new SplittableRandom(rows);
        List<Cell> cells = new ArrayList<>();
        for (long row = 0; row < rows; row++) {
            Bytes value = Rows.value(row, random);
            cells.add(new Cell(Rows.key(row), Rows.COLUMN, 1, value));
        }
        return new Answer.Page(cells, Optional.empty(), Optional.empty(), rows, rows);
    }
}
