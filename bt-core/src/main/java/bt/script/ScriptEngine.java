package bt.script;

import bt.base.RejectedException;

/** A language for scripts, found through {@link java.util.ServiceLoader}. */
public interface ScriptEngine {
    /** What requests call it by, as in {@code groovy}. */
    String name();

    /** Compiles, or is REJECTED with line, column and reason. Nothing of the script runs while it compiles. */
    CompiledScript compile(String source) throws RejectedException;
}
