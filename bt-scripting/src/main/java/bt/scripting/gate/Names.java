package bt.scripting.gate;

import bt.base.RejectedException;
import java.util.Locale;
import org.codehaus.groovy.ast.ASTNode;
import org.codehaus.groovy.ast.expr.ConstantExpression;
import org.codehaus.groovy.ast.expr.Expression;

/** Names in a script, and what to say of those that it does not know. */
final class Names {
    private Names() {}

    /** The name after a dot; one that is computed when the script runs could be any. */
    static String constant(Expression name) throws RejectedException {
        if (name.getClass() == ConstantExpression.class
                && ((ConstantExpression) name).getValue() instanceof String constant) {
            return constant;
        }
        throw Refusal.at(name, "a name that is computed is not part of the script language");
    }

    static RejectedException unknownWord(ASTNode place, String name) {
        return Refusal.at(
                place,
                "unknown word " + Refusal.quoted(name)
                        + "; a script sees cell, argument, Math and the variables that it has declared with def");
    }

    static RejectedException unknown(String sort, ASTNode place, String name, WordTable words) {
        return Refusal.at(
                place,
                words.knows(name)
                        ? "the " + sort + " " + Refusal.quoted(name) + " takes another number of values"
                        : "unknown " + sort + " " + Refusal.quoted(name) + "; a script knows " + words.names());
    }

    /** {@code ClosureExpression} is a closure, {@code TryCatchStatement} a try catch. */
    static String of(ASTNode node) {
        String name = node.getClass().getSimpleName().replaceAll("(Expression|Statement)$", "");
        return "\"" + name.replaceAll("(?<=[a-z])(?=[A-Z])", " ").toLowerCase(Locale.ROOT) + "\"";
    }
}
