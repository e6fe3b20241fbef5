package bt.scripting.run;

import bt.base.RejectedException;
import bt.script.CompiledScript;
import bt.script.ScriptEngine;
import bt.scripting.gate.ScriptCompiler;

/** Filter scripts in Groovy: docs/scripting.md says which part of the language and which words. Any thread. */
public final class GroovyScriptEngine implements ScriptEngine {
    private static final String WARMING =
            "def n = 0\nfor (t in [cell.text]) { n += t.size() }\nn > 0 ? true : 'x' in [1: 2]";

    /**
     * Compiles one script, so that the compiler's classes are initialised on a fresh stack: were the first script one
     * that exhausts its stack, the class that was being initialised could never be used again in this process.
     */
    public GroovyScriptEngine() {
        try {
            ScriptCompiler.compile(WARMING);
        } catch (RejectedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public String name() {
        return "groovy";
    }

    @Override
    public CompiledScript compile(String source) throws RejectedException {
        return new GroovyScript(ScriptCompiler.compile(source));
    }
}
