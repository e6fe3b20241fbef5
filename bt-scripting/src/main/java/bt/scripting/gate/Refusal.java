package bt.scripting.gate;

import bt.base.RejectedException;
import org.codehaus.groovy.ast.ASTNode;

/** One line that says where a script is wrong, and why. */
final class Refusal {
    private static final int MAX_CHARS = 600;
    private static final String CORRECT = "correct it there";

    private Refusal() {}

    /** Where its words and signs are not those of a script. */
    static RejectedException at(ASTNode place, String reason) {
        return at(place, reason, CORRECT);
    }

    static RejectedException at(ASTNode place, String reason, String advice) {
        return at(place.getLineNumber(), place.getColumnNumber(), reason, advice);
    }

    static RejectedException at(int line, int column, String reason) {
        return at(line, column, reason, CORRECT);
    }

    static RejectedException at(int line, int column, String reason, String advice) {
        String where = "script at line " + Math.max(1, line) + ", column " + Math.max(1, column) + ": ";
        return new RejectedException(where + oneLine(reason), advice);
    }

    private static String oneLine(String reason) {
        String line = reason.replaceAll("[\\p{Cntrl}\\s]+", " ").trim();
        return line.length() <= MAX_CHARS ? line : line.substring(0, MAX_CHARS) + "…";
    }

    /** A name as a message shows it; it comes from the script and may be long. */
    static String quoted(String name) {
        return '"' + (name.length() <= 40 ? name : name.substring(0, 40) + "…") + '"';
    }
}
