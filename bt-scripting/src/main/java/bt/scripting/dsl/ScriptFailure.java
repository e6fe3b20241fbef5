package bt.scripting.dsl;

/** A script did what it may not, or spent what it had. The stack trace tells the line. */
public final class ScriptFailure extends RuntimeException {
    ScriptFailure(String message) {
        super(message);
    }
}
