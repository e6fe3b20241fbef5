package bt.scripting.gate;

import static bt.scripting.gate.Calls.at;
import static bt.scripting.gate.Calls.builtIn;

import bt.base.RejectedException;
import java.util.Map;
import org.codehaus.groovy.ast.ASTNode;
import org.codehaus.groovy.ast.ClassHelper;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.expr.BinaryExpression;
import org.codehaus.groovy.ast.expr.ConstantExpression;
import org.codehaus.groovy.ast.expr.DeclarationExpression;
import org.codehaus.groovy.ast.expr.EmptyExpression;
import org.codehaus.groovy.ast.expr.Expression;
import org.codehaus.groovy.ast.expr.VariableExpression;
import org.codehaus.groovy.syntax.Token;
import org.codehaus.groovy.syntax.Types;

/** Translates what declares variables and what gives them values. */
final class Assignments {
    /** The types that a declaration may name, and what checks the values that such a variable is given. */
    private static final Map<String, String> TYPES = Map.ofEntries(
            Map.entry("int", "asWhole"),
            Map.entry("long", "asWhole"),
            Map.entry("Integer", "asWhole"),
            Map.entry("Long", "asWhole"),
            Map.entry("double", "asDecimal"),
            Map.entry("Double", "asDecimal"),
            Map.entry("boolean", "asTruth"),
            Map.entry("Boolean", "asTruth"),
            Map.entry("String", "asText"),
            Map.entry("List", "asList"),
            Map.entry("Map", "asMap"));

    private static final Map<String, String> COMPOUND = Map.of("+=", "+", "-=", "-", "*=", "*", "/=", "/", "%=", "%");

    private static final int FINAL = 0x10;

    private final Scope scope;
    private final ExpressionTranslator expressions;

    Assignments(Scope scope, ExpressionTranslator expressions) {
        this.scope = scope;
        this.expressions = expressions;
    }

    static boolean assigns(String operator) {
        return operator.equals("=") || COMPOUND.containsKey(operator);
    }

    Expression assign(BinaryExpression parsed) throws RejectedException {
        Expression target = parsed.getLeftExpression();
        Expression given = expressions.value(parsed.getRightExpression());
        String operator = COMPOUND.get(parsed.getOperation().getText());
        if (target.getClass() == BinaryExpression.class) {
            return element(parsed, (BinaryExpression) target, given);
        } else if (target.getClass() != VariableExpression.class) {
            throw Refusal.at(target, "only a variable, or an element of a list or map, can be given a value");
        }
        Expression value = operator == null
                ? given
                : ExpressionTranslator.operation(parsed, operator, expressions.value(target), given);
        return set(parsed, (VariableExpression) target, value);
    }

    private Expression element(BinaryExpression parsed, BinaryExpression target, Expression given)
            throws RejectedException {
        if (!parsed.getOperation().getText().equals("=")
                || !target.getOperation().getText().equals("[")
                || target.isSafe()) {
            throw Refusal.at(parsed, "an element is given a value with a plain =");
        }
        return builtIn(
                parsed,
                "put",
                expressions.value(target.getLeftExpression()),
                expressions.value(target.getRightExpression()),
                given);
    }

    /** {@code i++} and {@code --i}, where nobody uses the value. */
    Expression count(Expression place, Expression target, Token operation) throws RejectedException {
        if (target.getClass() != VariableExpression.class) {
            throw Refusal.at(place, "only a variable can be counted up or down");
        }
        String operator = operation.getText().substring(1);
        Expression value =
                ExpressionTranslator.operation(place, operator, expressions.value(target), Calls.whole(place, 1));
        return set(place, (VariableExpression) target, value);
    }

    Expression declare(DeclarationExpression parsed) throws RejectedException {
        if (parsed.isMultipleAssignmentDeclaration()
                || parsed.getLeftExpression().getClass() != VariableExpression.class
                || !parsed.getAnnotations().isEmpty()) {
            throw Refusal.at(parsed, "a declaration is def name = value");
        }
        VariableExpression target = parsed.getVariableExpression();
        boolean empty = parsed.getRightExpression() instanceof EmptyExpression;
        Expression value =
                empty ? at(parsed, new ConstantExpression(null)) : expressions.value(parsed.getRightExpression());
        boolean assignable = (target.getModifiers() & FINAL) == 0;
        String check = declare(target, target.getName(), target.getOriginType(), assignable);
        VariableExpression declared = at(target, new VariableExpression(target.getName(), ClassHelper.OBJECT_TYPE));
        return at(parsed, new DeclarationExpression(declared, equalSign(), checked(parsed, check, value)));
    }

    /** Adds a name to the scope, and says how its values are checked. */
    String declare(ASTNode place, String name, ClassNode type, boolean assignable) throws RejectedException {
        boolean open = ClassHelper.isDynamicTyped(type)
                || ClassHelper.isObjectType(type)
                || type.getName().equals("Object");
        String check = open ? "" : TYPES.get(type.getName());
        if (check == null
                || type.isUsingGenerics()
                || !type.getTypeAnnotations().isEmpty()) {
            throw Refusal.at(
                    place,
                    "unknown type " + Refusal.quoted(type.getText())
                            + "; a declaration says def, or one of int, long, double, boolean, String, List, Map");
        } else if (scope.find(name).isPresent() || name.equals("Math") || name.contains("$")) {
            throw Refusal.at(place, "the name " + Refusal.quoted(name) + " is taken");
        }
        scope.declare(name, new Scope.Variable(check, assignable));
        return check;
    }

    static Expression checked(ASTNode place, String check, Expression value) {
        return check.isEmpty() ? value : builtIn(place, check, value);
    }

    static Token equalSign() {
        return Token.newSymbol(Types.EQUAL, -1, -1);
    }

    private Expression set(Expression place, VariableExpression target, Expression value) throws RejectedException {
        Scope.Variable variable =
                scope.find(target.getName()).orElseThrow(() -> Names.unknownWord(target, target.getName()));
        if (!variable.assignable()) {
            throw Refusal.at(target, Refusal.quoted(target.getName()) + " cannot be given another value");
        }
        return at(
                place,
                new BinaryExpression(
                        at(target, new VariableExpression(target.getName())),
                        equalSign(),
                        checked(place, variable.check(), value)));
    }
}
