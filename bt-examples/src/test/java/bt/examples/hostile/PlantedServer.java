package bt.examples.hostile;

import bt.base.Scheduler;
import bt.protocol.Address;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;

/** A server that does to each connection what a test says, then resets it. */
final class PlantedServer implements AutoCloseable {
    private final ServerSocket listening = new ServerSocket(0, 64, InetAddress.getLoopbackAddress());

    PlantedServer(Scheduler scheduler, Manner manner) throws IOException {
        scheduler.start("planted server", () -> {
            try {
                while (true) {
                    try (Socket caller = listening.accept()) {
                        caller.setSoLinger(true, 0);
                        manner.treat(new DataInputStream(caller.getInputStream()), caller.getOutputStream());
                    }
                }
            } catch (IOException over) {
                // Closed.
            }
        });
    }

    /** What it does before the reset. */
    interface Manner {
        void treat(DataInputStream in, OutputStream out) throws IOException;
    }

    /** Reads one frame of the RPC port and answers with one of this kind. */
    static void answer(DataInputStream in, OutputStream out, int kind) throws IOException {
        if (WireFrames.read(in).isEmpty()) {
            throw new EOFException("a caller that has left");
        }
        out.write(WireFrames.frame(kind, 0, new byte[1]));
    }

    Address address() {
        return Address.parse("127.0.0.1:" + port());
    }

    int port() {
        return listening.getLocalPort();
    }

    @Override
    public void close() throws IOException {
        listening.close();
    }
}
