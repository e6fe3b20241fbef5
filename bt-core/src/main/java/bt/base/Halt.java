package bt.base;

/**
 * The end of this process, at once: no hook, no flush, no unload. In production the JVM is halted; in the simulator the
 * process crashes. Whoever calls it must expect to go on for a moment, and must not serve.
 */
@FunctionalInterface
public interface Halt {
    void halt(String reason);
}
