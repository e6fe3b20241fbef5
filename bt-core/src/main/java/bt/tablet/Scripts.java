package bt.tablet;

import bt.base.RejectedException;
import bt.model.Filter;
import bt.script.CompiledScript;
import bt.script.ScriptEngine;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.locks.ReentrantLock;

/** The scripts that a server has compiled: each once, the ones used last are kept. Any thread. */
public final class Scripts {
    private final Map<String, ScriptEngine> engines = new TreeMap<>();
    private final ReentrantLock lock = new ReentrantLock();

    @GuardedBy("lock") private final LinkedHashMap<Source, CompiledScript> lastUsed;

    /** Keeps at most {@code bound} compiled scripts. */
    public Scripts(List<ScriptEngine> engines, int bound) {
        engines.forEach(engine -> this.engines.put(engine.name(), engine));
        this.lastUsed = new LinkedHashMap<>(16, 0.75f, true) {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Source, CompiledScript> eldest) {
                return size() > bound;
            }
        };
    }

    /** REJECTED when there is no such engine or the script does not compile. */
    CompiledScript compiled(Filter.Script script) throws RejectedException {
        Source source = new Source(script.engine(), script.source());
        lock.lock();
        try {
            CompiledScript known = lastUsed.get(source);
            if (known != null) {
                return known;
            }
        } finally {
            lock.unlock();
        }
        ScriptEngine engine = engines.get(script.engine());
        if (engine == null) {
            String known = engines.isEmpty() ? "none" : String.join(", ", engines.keySet());
            throw new RejectedException(
                    "no script engine " + script.engine() + " here: there is " + known,
                    "name one that is there, or have it put on the class path of the servers");
        }
        // Outside the lock, so that a long script holds up nobody: two readers may compile the same one.
        CompiledScript compiled = engine.compile(script.source());
        lock.lock();
        try {
            lastUsed.put(source, compiled);
        } finally {
            lock.unlock();
        }
        return compiled;
    }

    private record Source(String engine, String text) {}
}
