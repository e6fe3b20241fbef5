package bt.scripting.gate;

import static bt.scripting.gate.Calls.at;
import static bt.scripting.gate.Calls.builtIn;

import bt.base.RejectedException;
import java.lang.reflect.Method;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.codehaus.groovy.ast.expr.ArgumentListExpression;
import org.codehaus.groovy.ast.expr.BinaryExpression;
import org.codehaus.groovy.ast.expr.BooleanExpression;
import org.codehaus.groovy.ast.expr.ConstantExpression;
import org.codehaus.groovy.ast.expr.Expression;
import org.codehaus.groovy.ast.expr.GStringExpression;
import org.codehaus.groovy.ast.expr.ListExpression;
import org.codehaus.groovy.ast.expr.MapEntryExpression;
import org.codehaus.groovy.ast.expr.MapExpression;
import org.codehaus.groovy.ast.expr.MethodCallExpression;
import org.codehaus.groovy.ast.expr.NotExpression;
import org.codehaus.groovy.ast.expr.PropertyExpression;
import org.codehaus.groovy.ast.expr.RangeExpression;
import org.codehaus.groovy.ast.expr.TernaryExpression;
import org.codehaus.groovy.ast.expr.UnaryMinusExpression;
import org.codehaus.groovy.ast.expr.VariableExpression;
import org.codehaus.groovy.syntax.Token;
import org.codehaus.groovy.syntax.Types;
import org.jspecify.annotations.Nullable;

/**
 * Translates expressions. Compares classes exactly, since many a Groovy node that does more extends one that does less; a
 * node of a class that is not named here is refused.
 */
final class ExpressionTranslator {
    private static final int MAX_DEPTH = 200;

    private static final Map<String, String> OPERATORS = Map.ofEntries(
            Map.entry("+", "plus"),
            Map.entry("-", "minus"),
            Map.entry("*", "times"),
            Map.entry("/", "divide"),
            Map.entry("%", "remainder"),
            Map.entry("==", "equal"),
            Map.entry("!=", "unequal"),
            Map.entry("<", "less"),
            Map.entry("<=", "lessOrEqual"),
            Map.entry(">", "greater"),
            Map.entry(">=", "greaterOrEqual"),
            Map.entry("<=>", "compare"),
            Map.entry("in", "in"),
            Map.entry("!in", "notIn"),
            Map.entry("<<", "append"),
            Map.entry("[", "at"));

    private final Scope scope;
    private final Assignments assignments;
    private int depth;

    ExpressionTranslator(Scope scope) {
        this.scope = scope;
        this.assignments = new Assignments(scope, this);
    }

    Assignments assignments() {
        return assignments;
    }

    /** The same value, in words. */
    Expression value(Expression parsed) throws RejectedException {
        if (++depth > MAX_DEPTH) {
            throw Refusal.at(parsed, "nested too deeply", "write it as several statements");
        }
        Expression translated = at(parsed, translate(parsed));
        depth--;
        return translated;
    }

    /** The same value by Groovy's truth, as a primitive boolean. */
    Expression truth(Expression parsed) throws RejectedException {
        Expression inner =
                parsed.getClass() == BooleanExpression.class ? ((BooleanExpression) parsed).getExpression() : parsed;
        Expression value = value(inner);
        return Calls.isTruth(value) ? value : builtIn(inner, "truth", value);
    }

    private Expression translate(Expression parsed) throws RejectedException {
        Class<?> type = parsed.getClass();
        if (type == ConstantExpression.class) {
            return constant((ConstantExpression) parsed);
        } else if (type == VariableExpression.class) {
            return variable((VariableExpression) parsed);
        } else if (type == PropertyExpression.class) {
            return property((PropertyExpression) parsed);
        } else if (type == MethodCallExpression.class) {
            return method((MethodCallExpression) parsed);
        } else if (type == BinaryExpression.class) {
            return binary((BinaryExpression) parsed);
        } else if (type == BooleanExpression.class) {
            return truth(parsed);
        } else if (type == NotExpression.class) {
            return Calls.truth(new NotExpression(truth(((NotExpression) parsed).getExpression())));
        } else if (type == UnaryMinusExpression.class) {
            return builtIn(parsed, "negate", value(((UnaryMinusExpression) parsed).getExpression()));
        } else if (type == TernaryExpression.class) {
            return ternary((TernaryExpression) parsed);
        } else if (type == GStringExpression.class) {
            return template((GStringExpression) parsed);
        } else if (type == ListExpression.class) {
            return Calls.collection(parsed, "list", values(((ListExpression) parsed).getExpressions()));
        } else if (type == MapExpression.class) {
            return map((MapExpression) parsed);
        } else if (type == RangeExpression.class) {
            return range((RangeExpression) parsed);
        }
        throw Refusal.at(parsed, Names.of(parsed) + " is not part of the script language");
    }

    private List<Expression> values(List<Expression> parsed) throws RejectedException {
        List<Expression> values = new ArrayList<>();
        for (Expression expression : parsed) {
            values.add(value(expression));
        }
        return values;
    }

    /** Whole numbers are longs and decimals doubles: Groovy's BigDecimal and BigInteger can grow without bound. */
    private static Expression constant(ConstantExpression parsed) throws RejectedException {
        @Nullable Object value = parsed.getValue();
        if (value == null || value instanceof String || value instanceof Boolean) {
            return new ConstantExpression(value);
        } else if (value instanceof Integer || value instanceof Long) {
            return Calls.whole(parsed, ((Number) value).longValue());
        } else if (value instanceof BigDecimal || value instanceof Double || value instanceof Float) {
            return new ConstantExpression(((Number) value).doubleValue());
        }
        throw Refusal.at(parsed, "the number " + Refusal.quoted(parsed.getText()) + " has more than 64 bits");
    }

    private Expression variable(VariableExpression parsed) throws RejectedException {
        if (scope.find(parsed.getName()).isEmpty()) {
            throw Names.unknownWord(parsed, parsed.getName());
        }
        return new VariableExpression(parsed.getName());
    }

    private Expression property(PropertyExpression parsed) throws RejectedException {
        if (parsed.isSafe() || parsed.isSpreadSafe() || parsed.isImplicitThis()) {
            throw Refusal.at(parsed, "a property is written with a plain dot");
        }
        String name = Names.constant(parsed.getProperty());
        Expression object = value(parsed.getObjectExpression());
        Method word = WordTable.PROPERTIES
                .find(name, 1)
                .orElseThrow(() -> Names.unknown("property", parsed.getProperty(), name, WordTable.PROPERTIES));
        return Calls.call(parsed, word, List.of(object));
    }

    private Expression method(MethodCallExpression parsed) throws RejectedException {
        if (parsed.isSafe() || parsed.isSpreadSafe() || parsed.isUsingGenerics()) {
            throw Refusal.at(parsed, "a method is called with a plain dot");
        }
        String name = Names.constant(parsed.getMethod());
        if (parsed.isImplicitThis()) {
            throw Names.unknownWord(parsed.getMethod(), name);
        } else if (parsed.getArguments().getClass() != ArgumentListExpression.class) {
            throw Refusal.at(parsed, "a method is called with values in brackets, none of them named");
        }
        boolean math = isMath(parsed.getObjectExpression());
        WordTable words = math ? WordTable.MATH : WordTable.METHODS;
        if (!words.knows(name)) {
            throw Names.unknown("method", parsed.getMethod(), name, words);
        }
        List<Expression> values = new ArrayList<>();
        if (!math) {
            values.add(value(parsed.getObjectExpression()));
        }
        values.addAll(values(((ArgumentListExpression) parsed.getArguments()).getExpressions()));
        Method word = words.find(name, values.size())
                .orElseThrow(() -> Names.unknown("method", parsed.getMethod(), name, words));
        return Calls.call(parsed, word, values);
    }

    private boolean isMath(Expression object) {
        return object.getClass() == VariableExpression.class
                && ((VariableExpression) object).getName().equals("Math")
                && scope.find("Math").isEmpty();
    }

    private Expression binary(BinaryExpression parsed) throws RejectedException {
        String operator = parsed.getOperation().getText();
        if (parsed.isSafe()) {
            throw Refusal.at(parsed, "?[ is not part of the script language");
        } else if (operator.equals("&&") || operator.equals("||")) {
            return Calls.truth(new BinaryExpression(
                    truth(parsed.getLeftExpression()),
                    Token.newSymbol(operator.equals("&&") ? Types.LOGICAL_AND : Types.LOGICAL_OR, -1, -1),
                    truth(parsed.getRightExpression())));
        } else if (Assignments.assigns(operator)) {
            return assignments.assign(parsed);
        }
        return operation(parsed, operator, value(parsed.getLeftExpression()), value(parsed.getRightExpression()));
    }

    static Expression operation(Expression place, String operator, Expression left, Expression right)
            throws RejectedException {
        String word = OPERATORS.get(operator);
        if (word == null) {
            throw Refusal.at(place, "the operator " + operator + " is not part of the script language");
        }
        return builtIn(place, word, left, right);
    }

    private Expression ternary(TernaryExpression parsed) throws RejectedException {
        Expression condition = truth(parsed.getBooleanExpression());
        return new TernaryExpression(
                at(parsed, new BooleanExpression(condition)),
                value(parsed.getTrueExpression()),
                value(parsed.getFalseExpression()));
    }

    /** A text with {@code ${…}} in it is its parts, joined. */
    private Expression template(GStringExpression parsed) throws RejectedException {
        Expression text = new ConstantExpression("");
        for (int i = 0; i < parsed.getStrings().size(); i++) {
            text = builtIn(parsed, "plus", text, constant(parsed.getStrings().get(i)));
            if (i < parsed.getValues().size()) {
                text = builtIn(parsed, "plus", text, value(parsed.getValue(i)));
            }
        }
        return text;
    }

    private Expression map(MapExpression parsed) throws RejectedException {
        List<Expression> keysAndValues = new ArrayList<>();
        for (MapEntryExpression entry : parsed.getMapEntryExpressions()) {
            keysAndValues.add(value(entry.getKeyExpression()));
            keysAndValues.add(value(entry.getValueExpression()));
        }
        return Calls.collection(parsed, "map", keysAndValues);
    }

    private Expression range(RangeExpression parsed) throws RejectedException {
        if (parsed.isExclusiveLeft()) {
            throw Refusal.at(parsed, "a range is first..last or first..<end");
        }
        return builtIn(
                parsed,
                parsed.isExclusiveRight() ? "rangeBefore" : "range",
                value(parsed.getFrom()),
                value(parsed.getTo()));
    }
}
