package bt.examples.bench;

import com.sun.management.OperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;

/** What a bench ran on. The heap is the most that the JVM may take. */
public record Machine(String cpu, int cores, long memoryBytes, String system, String java, long heapBytes) {
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");

    /** The one we are on. */
    public static Machine here() {
        OperatingSystemMXBean system = ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);
        return new Machine(
                cpuModel(),
                Runtime.getRuntime().availableProcessors(),
                system.getTotalMemorySize(),
                system.getName() + " " + system.getVersion() + " " + system.getArch(),
                System.getProperty("java.vm.name") + " " + Runtime.version(),
                Runtime.getRuntime().maxMemory());
    }

    Map<String, Object> fields() {
        Map<String, Object> fields = new LinkedHashMap<>();
        fields.put("cpu", cpu);
        fields.put("cores", cores);
        fields.put("memoryBytes", memoryBytes);
        fields.put("system", system);
        fields.put("java", java);
        fields.put("heapBytes", heapBytes);
        return fields;
    }

    @Override
    public String toString() {
        return String.format(
                "%s, %d cores, %d GiB, %s, %s, heap %d MiB",
                cpu, cores, memoryBytes >> 30, system, java, heapBytes >> 20);
    }

    private static String cpuModel() {
        try (Stream<String> lines = Files.lines(CPU_INFO)) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException elsewhere) {
            return "unknown";
        }
    }
}
