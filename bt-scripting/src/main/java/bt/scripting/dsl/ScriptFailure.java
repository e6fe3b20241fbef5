package bt.scripting.dsl;

/** A script did what it may not, or spent what it had. The stack trace tells the line. */
public final class ScriptFailure extends RuntimeException {
    private final String advice;

    /** What it did, and what to do about it. */
    ScriptFailure(String fact, String advice) {
        super(fact);
        this.advice = advice;
    }

    public String advice() {
        return advice;
    }
}
