package bt.rpc;

import io.netty.channel.EventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollEventLoopGroup;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.ThreadFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How event loops wait for their sockets: by Netty's own calls of Linux's epoll where its library can be loaded, for a wake-up
 * costs fewer system calls there than by the JDK's selectors, which do everywhere else. One kind for a whole process.
 */
enum Transport {
    EPOLL(EpollServerSocketChannel.class, EpollSocketChannel.class),
    SELECTORS(NioServerSocketChannel.class, NioSocketChannel.class);

    private static final Logger log = LoggerFactory.getLogger(Transport.class);

    private final Class<? extends ServerSocketChannel> listening;
    private final Class<? extends SocketChannel> connected;

    Transport(Class<? extends ServerSocketChannel> listening, Class<? extends SocketChannel> connected) {
        this.listening = listening;
        this.connected = connected;
    }

    /** The one that this process has. */
    static Transport ofProcess() {
        return OfProcess.KIND;
    }

    /** Threads of this name, as daemons. */
    EventLoopGroup loops(int count, String name) {
        ThreadFactory threads = new DefaultThreadFactory(name, true);
        return this == EPOLL ? new EpollEventLoopGroup(count, threads) : new NioEventLoopGroup(count, threads);
    }

    Class<? extends ServerSocketChannel> listening() {
        return listening;
    }

    Class<? extends SocketChannel> connected() {
        return connected;
    }

    /** Looked at once, and not before it is needed: the library is unpacked for that. */
    private static final class OfProcess {
        private static final Transport KIND = choose();

        private static Transport choose() {
            LeakSearch.offUnlessAsked(System::getProperty);
            if (Epoll.isAvailable()) {
                return EPOLL;
            }
            log.debug("no epoll: {}", String.valueOf(Epoll.unavailabilityCause()));
            return SELECTORS;
        }
    }
}
