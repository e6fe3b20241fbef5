package bt.main;

import java.util.List;

/**
 * How the JVM of a server keeps its heap; {@code bin/bt} says the same to one that it starts. The heap has its whole
 * size from the start: G1 counts when to mark against the size that it has just now, and one that grows slowly under
 * memtables and caches would be marked again and again. Most of a full heap is memtables and caches, so marking begins
 * beyond them. Its pages are asked of the system at the start, and not one by one under the first writes.
 */
public final class ServerHeap {
    /** Of the heap, in percent: memtables and caches have some 60 of a heap of the default size. */
    private static final int MARKING_BEGINS = 70;

    private ServerHeap() {}

    /** The JVM's options for a heap of so many megabytes. */
    public static List<String> options(int megabytes) {
        return List.of(
                "-Xms" + megabytes + "m",
                "-Xmx" + megabytes + "m",
                "-XX:+AlwaysPreTouch",
                "-XX:+UseG1GC",
                "-XX:-G1UseAdaptiveIHOP",
                "-XX:InitiatingHeapOccupancyPercent=" + MARKING_BEGINS);
    }
}
