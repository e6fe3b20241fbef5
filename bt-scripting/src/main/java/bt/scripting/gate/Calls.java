package bt.scripting.gate;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.List;
import org.codehaus.groovy.ast.ASTNode;
import org.codehaus.groovy.ast.ClassHelper;
import org.codehaus.groovy.ast.expr.ArgumentListExpression;
import org.codehaus.groovy.ast.expr.ArrayExpression;
import org.codehaus.groovy.ast.expr.ConstantExpression;
import org.codehaus.groovy.ast.expr.Expression;
import org.codehaus.groovy.ast.expr.StaticMethodCallExpression;
import org.codehaus.groovy.ast.expr.VariableExpression;

/** Makes the calls that a translated script consists of. */
final class Calls {
    private Calls() {}

    static Expression builtIn(ASTNode place, String name, Expression... values) {
        Method method = WordTable.BUILT_IN
                .find(name, values.length)
                .orElseThrow(() -> new AssertionError(name + " with " + values.length + " values"));
        return call(place, method, Arrays.asList(values));
    }

    /** A whole number, out of ints: of a long constant Groovy's compiler makes a static field. */
    static Expression whole(ASTNode place, long number) {
        return number == (int) number
                ? builtIn(place, "whole", new ConstantExpression((int) number, true))
                : builtIn(
                        place,
                        "whole",
                        new ConstantExpression((int) (number >> 32), true),
                        new ConstantExpression((int) number, true));
    }

    /** The list or the map with these elements. */
    static Expression collection(ASTNode place, String name, List<Expression> elements) {
        return builtIn(place, name, new ArrayExpression(ClassHelper.OBJECT_TYPE, elements));
    }

    static Expression call(ASTNode place, Method method, List<Expression> values) {
        ArgumentListExpression arguments = new ArgumentListExpression();
        arguments.addExpression(new VariableExpression(Scope.METER));
        values.forEach(arguments::addExpression);
        Expression call = at(
                place,
                new StaticMethodCallExpression(
                        ClassHelper.make(method.getDeclaringClass()), method.getName(), arguments));
        return method.getReturnType() == boolean.class ? truth(call) : call;
    }

    /** Marks an expression as one whose value is true or false already. */
    static <E extends Expression> E truth(E expression) {
        expression.setType(ClassHelper.boolean_TYPE);
        return expression;
    }

    static boolean isTruth(Expression expression) {
        return ClassHelper.boolean_TYPE.equals(expression.getType());
    }

    /** Gives a new node the line and column of the old one. */
    static <N extends ASTNode> N at(ASTNode place, N made) {
        made.setSourcePosition(place);
        return made;
    }
}
