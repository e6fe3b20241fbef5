package bt.scripting.gate;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.RejectedException;
import org.codehaus.groovy.ast.ClassHelper;
import org.codehaus.groovy.ast.expr.ArgumentListExpression;
import org.codehaus.groovy.ast.expr.Expression;
import org.codehaus.groovy.ast.expr.MethodCallExpression;
import org.codehaus.groovy.ast.expr.StaticMethodCallExpression;
import org.codehaus.groovy.ast.expr.VariableExpression;
import org.codehaus.groovy.ast.stmt.ExpressionStatement;
import org.junit.jupiter.api.Test;

/** The static compiler's gate by itself, with calls that the translator would never make. */
class WordsOnlyTest {
    @Test
    void aStaticMethodThatIsNoWordIsRefused() {
        refuses(
                new StaticMethodCallExpression(ClassHelper.make(System.class), "gc", new ArgumentListExpression()),
                "the method java.lang.System.gc is not a word");
    }

    @Test
    void aMethodOfAValueIsRefused() {
        refuses(
                new MethodCallExpression(new VariableExpression(Scope.CELL), "hashCode", new ArgumentListExpression()),
                "the method java.lang.Object.hashCode is not a word");
    }

    @Test
    void aMethodThatGroovyAddsIsRefused() {
        refuses(
                new MethodCallExpression(new VariableExpression(Scope.CELL), "dump", new ArgumentListExpression()),
                "the method java.lang.Object.dump is not a word");
    }

    private static void refuses(Expression call, String reason) {
        assertThatThrownBy(() -> ScriptCompiler.bytecode(new ExpressionStatement(call)))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining(reason);
    }
}
