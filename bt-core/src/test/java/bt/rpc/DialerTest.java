package bt.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Clock;
import bt.protocol.Address;
import io.netty.channel.EventLoopGroup;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class DialerTest {
    /** The JDK waits many seconds for a name server that does not answer. */
    @Test
    void aNameThatIsLookedUpForLongKeepsNoOtherWaiting() throws Exception {
        CountDownLatch hung = new CountDownLatch(1);
        CompletableFuture<String> found = new CompletableFuture<>();
        Dialer dialer = new Dialer(host -> {
            try {
                if (host.startsWith("hung")) {
                    hung.await();
                }
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            found.complete(host);
            throw new UnknownHostException(host);
        });
        EventLoopGroup loops = Transport.ofProcess().loops(1, "test");
        try {
            for (int i = 1; i < Dialer.RESOLVERS; i++) {
                dial(dialer, loops, "hung" + i);
            }
            dial(dialer, loops, "quick");
            assertThat(found.get(20, TimeUnit.SECONDS)).isEqualTo("quick");
        } finally {
            hung.countDown();
            dialer.close(5_000);
            loops.shutdownGracefully(0, 5_000, TimeUnit.MILLISECONDS).awaitUninterruptibly(5_000);
        }
    }

    private static void dial(Dialer dialer, EventLoopGroup loops, String host) {
        Address to = new Address(host, 1);
        dialer.dial(new Connection(to, "test", loops.next(), Clock.system(), closed -> {}), to);
    }
}
