package bt.testing;

import bt.script.CompiledScript;
import bt.script.ScriptEngine;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A language whose one sentence keeps the cells with a value that ends with the argument. */
public final class SuffixScripts implements ScriptEngine {
    public static final String NAME = "suffix";

    private volatile Runnable before = () -> {};
    private final List<String> compiled = new CopyOnWriteArrayList<>();

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public CompiledScript compile(String source) {
        compiled.add(source);
        return (argument, budget) -> cell -> {
            before.run();
            return cell.value().toUtf8().endsWith(argument.toUtf8());
        };
    }

    /** Runs with each cell, as if a script did. */
    public void before(Runnable each) {
        before = each;
    }

    /** Every source that was compiled, in order. */
    public List<String> compiled() {
        return compiled;
    }
}
