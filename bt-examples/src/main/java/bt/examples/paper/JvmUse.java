package bt.examples.paper;

import com.sun.management.ThreadMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What some JVMs of this machine say of themselves: bytes that each of their live Java threads has allocated so far, and
 * for how long their collectors have been at work, all together. What threads had allocated that have ended is not seen.
 */
record JvmUse(Map<ThreadKey, Long> allocatedBytes, double gcMillis) {
    private static final Logger log = LoggerFactory.getLogger(JvmUse.class);

    record ThreadKey(long pid, long thread) {}

    /** Empty when one of them does not answer: it is another user's, or lets nobody attach. */
    static Optional<JvmUse> ask(List<Long> pids) {
        try {
            return Optional.of(of(pids));
        } catch (IOException silent) {
            log.warn("what it allocates and collects is not told: {}", silent.getMessage());
            return Optional.empty();
        }
    }

    private static JvmUse of(List<Long> pids) throws IOException {
        Map<ThreadKey, Long> bytes = new HashMap<>();
        double millis = 0;
        for (long pid : pids) {
            JvmUse one = of(pid);
            bytes.putAll(one.allocatedBytes);
            millis += one.gcMillis;
        }
        return new JvmUse(bytes, millis);
    }

    /** What the threads that live now have allocated since then. */
    double allocatedSince(JvmUse before) {
        double bytes = 0;
        for (Map.Entry<ThreadKey, Long> ofThread : allocatedBytes.entrySet()) {
            bytes += ofThread.getValue() - before.allocatedBytes.getOrDefault(ofThread.getKey(), 0L);
        }
        return bytes;
    }

    // What answers is the agent of a process of this machine and this user, which we put there.
    @SuppressWarnings("BanJNDI")
    private static JvmUse of(long pid) throws IOException {
        if (pid == ProcessHandle.current().pid()) {
            // No JVM attaches to itself.
            return of(pid, ManagementFactory.getPlatformMBeanServer());
        }
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
            try (JMXConnector connector =
                    JMXConnectorFactory.connect(new JMXServiceURL(machine.startLocalManagementAgent()))) {
                return of(pid, connector.getMBeanServerConnection());
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException foreign) {
            throw new IOException("process " + pid + " does not let itself be asked: " + foreign.getMessage(), foreign);
        }
    }

    private static JvmUse of(long pid, MBeanServerConnection beans) throws IOException {
        return new JvmUse(allocated(pid, beans), gcMillis(beans));
    }

    private static Map<ThreadKey, Long> allocated(long pid, MBeanServerConnection beans) throws IOException {
        ThreadMXBean threads = ManagementFactory.newPlatformMXBeanProxy(
                beans, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
        long[] ids = threads.getAllThreadIds();
        long[] bytes = threads.getThreadAllocatedBytes(ids);
        Map<ThreadKey, Long> allocated = new HashMap<>();
        for (int i = 0; i < ids.length; i++) {
            // Negative of one that has ended.
            if (bytes[i] >= 0) {
                allocated.put(new ThreadKey(pid, ids[i]), bytes[i]);
            }
        }
        return allocated;
    }

    private static double gcMillis(MBeanServerConnection beans) throws IOException {
        double millis = 0;
        for (GarbageCollectorMXBean collector :
                ManagementFactory.getPlatformMXBeans(beans, GarbageCollectorMXBean.class)) {
            millis += Math.max(0, collector.getCollectionTime());
        }
        return millis;
    }
}
