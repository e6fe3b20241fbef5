package bt.scripting.gate;

import org.codehaus.groovy.ast.MethodNode;
import org.codehaus.groovy.ast.expr.Expression;
import org.codehaus.groovy.transform.stc.StaticTypeCheckingVisitor;
import org.codehaus.groovy.transform.stc.TypeCheckingExtension;

/** Sees each method that the static compiler chooses, and lets pass only words. Public because Groovy makes it. */
public final class WordsOnly extends TypeCheckingExtension {
    public WordsOnly(StaticTypeCheckingVisitor visitor) {
        super(visitor);
    }

    @Override
    public void onMethodSelection(Expression expression, MethodNode chosen) {
        String owner = chosen.getDeclaringClass().getName();
        if (WordTable.classes().stream().noneMatch(words -> words.getName().equals(owner))) {
            if (expression.getLineNumber() < 1) {
                // Groovy forgets what is wrong with a node that has no place.
                expression.setLineNumber(1);
                expression.setColumnNumber(1);
            }
            addStaticTypeError("the method " + owner + "." + chosen.getName() + " is not a word", expression);
        }
    }
}
