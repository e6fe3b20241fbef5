package bt.scripting.gate;

import static bt.scripting.gate.Calls.at;

import bt.base.RejectedException;
import java.util.ArrayList;
import java.util.List;
import org.codehaus.groovy.ast.ClassHelper;
import org.codehaus.groovy.ast.Parameter;
import org.codehaus.groovy.ast.expr.BinaryExpression;
import org.codehaus.groovy.ast.expr.BooleanExpression;
import org.codehaus.groovy.ast.expr.ClosureListExpression;
import org.codehaus.groovy.ast.expr.ConstantExpression;
import org.codehaus.groovy.ast.expr.DeclarationExpression;
import org.codehaus.groovy.ast.expr.EmptyExpression;
import org.codehaus.groovy.ast.expr.Expression;
import org.codehaus.groovy.ast.expr.PostfixExpression;
import org.codehaus.groovy.ast.expr.PrefixExpression;
import org.codehaus.groovy.ast.expr.VariableExpression;
import org.codehaus.groovy.ast.stmt.BlockStatement;
import org.codehaus.groovy.ast.stmt.BreakStatement;
import org.codehaus.groovy.ast.stmt.ContinueStatement;
import org.codehaus.groovy.ast.stmt.DoWhileStatement;
import org.codehaus.groovy.ast.stmt.EmptyStatement;
import org.codehaus.groovy.ast.stmt.ExpressionStatement;
import org.codehaus.groovy.ast.stmt.ForStatement;
import org.codehaus.groovy.ast.stmt.IfStatement;
import org.codehaus.groovy.ast.stmt.ReturnStatement;
import org.codehaus.groovy.ast.stmt.Statement;
import org.codehaus.groovy.ast.stmt.WhileStatement;

/** Translates statements, and puts a {@linkplain bt.scripting.dsl.Meter#step step} at the head of each loop's body. */
final class StatementTranslator {
    private static final int MAX_DEPTH = 100;

    private final Scope scope = new Scope();
    private final ExpressionTranslator expressions = new ExpressionTranslator(scope);
    private final Assignments assignments = expressions.assignments();
    private int depth;

    Statement translate(Statement parsed) throws RejectedException {
        if (parsed.getStatementLabels() != null) {
            throw Refusal.at(parsed, "a label is not part of the script language");
        } else if (++depth > MAX_DEPTH) {
            throw Refusal.at(parsed, "nested too deeply", "write it as several statements");
        }
        Statement translated = at(parsed, of(parsed));
        depth--;
        return translated;
    }

    private Statement of(Statement parsed) throws RejectedException {
        Class<?> type = parsed.getClass();
        if (type == BlockStatement.class) {
            return block((BlockStatement) parsed);
        } else if (type == ExpressionStatement.class) {
            return new ExpressionStatement(effect(((ExpressionStatement) parsed).getExpression()));
        } else if (type == ReturnStatement.class) {
            return new ReturnStatement(expressions.value(((ReturnStatement) parsed).getExpression()));
        } else if (type == IfStatement.class) {
            return choice((IfStatement) parsed);
        } else if (type == WhileStatement.class) {
            WhileStatement loop = (WhileStatement) parsed;
            return new WhileStatement(condition(loop.getBooleanExpression()), body(loop.getLoopBlock(), List.of()));
        } else if (type == DoWhileStatement.class) {
            DoWhileStatement loop = (DoWhileStatement) parsed;
            return new DoWhileStatement(condition(loop.getBooleanExpression()), body(loop.getLoopBlock(), List.of()));
        } else if (type == ForStatement.class) {
            scope.enter();
            Statement loop = loop((ForStatement) parsed);
            scope.leave();
            return loop;
        } else if (type == BreakStatement.class && ((BreakStatement) parsed).getLabel() == null) {
            return new BreakStatement();
        } else if (type == ContinueStatement.class && ((ContinueStatement) parsed).getLabel() == null) {
            return new ContinueStatement();
        } else if (parsed instanceof EmptyStatement) {
            return new EmptyStatement();
        }
        throw Refusal.at(parsed, Names.of(parsed) + " is not part of the script language");
    }

    private BlockStatement block(BlockStatement parsed) throws RejectedException {
        scope.enter();
        BlockStatement block = new BlockStatement();
        for (Statement statement : parsed.getStatements()) {
            block.addStatement(translate(statement));
        }
        scope.leave();
        return block;
    }

    private Statement choice(IfStatement parsed) throws RejectedException {
        return new IfStatement(
                condition(parsed.getBooleanExpression()), body(parsed.getIfBlock()), body(parsed.getElseBlock()));
    }

    private BooleanExpression condition(BooleanExpression parsed) throws RejectedException {
        return at(parsed, new BooleanExpression(expressions.truth(parsed)));
    }

    /** One statement without braces declares nothing outside. */
    private Statement body(Statement parsed) throws RejectedException {
        scope.enter();
        Statement body = translate(parsed);
        scope.leave();
        return body;
    }

    private Statement body(Statement parsed, List<Statement> before) throws RejectedException {
        BlockStatement body = new BlockStatement();
        body.addStatement(at(parsed, new ExpressionStatement(Calls.builtIn(parsed, "step"))));
        before.forEach(body::addStatement);
        body.addStatement(body(parsed));
        return body;
    }

    private Statement loop(ForStatement parsed) throws RejectedException {
        if (parsed.getCollectionExpression() instanceof ClosureListExpression) {
            return counting(parsed, (ClosureListExpression) parsed.getCollectionExpression());
        }
        Parameter variable = parsed.getVariable();
        Expression walked = expressions.value(parsed.getCollectionExpression());
        if (!variable.getAnnotations().isEmpty()) {
            throw Refusal.at(variable, "an annotation is not part of the script language");
        }
        String check = assignments.declare(parsed, variable.getName(), variable.getOriginType(), true);
        return new ForStatement(
                at(variable, new Parameter(ClassHelper.OBJECT_TYPE, variable.getName())),
                Calls.builtIn(parsed, "each", walked),
                body(parsed.getLoopBlock(), check.isEmpty() ? List.of() : List.of(check(parsed, check))));
    }

    private static Statement check(ForStatement parsed, String check) {
        String name = parsed.getVariable().getName();
        Expression checked = Assignments.checked(parsed, check, new VariableExpression(name));
        return at(
                parsed,
                new ExpressionStatement(at(
                        parsed, new BinaryExpression(new VariableExpression(name), Assignments.equalSign(), checked))));
    }

    /** {@code for (start; condition; after)} */
    private Statement counting(ForStatement parsed, ClosureListExpression head) throws RejectedException {
        List<Expression> parts = new ArrayList<>(head.getExpressions());
        if (parts.size() != 3) {
            throw Refusal.at(parsed, "a for has one start, one condition and one step");
        }
        Expression start = part(parts.get(0));
        Expression condition = parts.get(1) instanceof EmptyExpression
                ? Calls.truth(new ConstantExpression(true, true))
                : expressions.truth(parts.get(1));
        ClosureListExpression translated =
                at(head, new ClosureListExpression(List.of(start, condition, part(parts.get(2)))));
        return new ForStatement(ForStatement.FOR_LOOP_DUMMY, translated, body(parsed.getLoopBlock(), List.of()));
    }

    private Expression part(Expression parsed) throws RejectedException {
        return parsed instanceof EmptyExpression ? EmptyExpression.INSTANCE : effect(parsed);
    }

    /** An expression whose value may be unused. */
    private Expression effect(Expression parsed) throws RejectedException {
        Class<?> type = parsed.getClass();
        if (type == DeclarationExpression.class) {
            return assignments.declare((DeclarationExpression) parsed);
        } else if (type == PostfixExpression.class) {
            PostfixExpression counted = (PostfixExpression) parsed;
            return assignments.count(parsed, counted.getExpression(), counted.getOperation());
        } else if (type == PrefixExpression.class) {
            PrefixExpression counted = (PrefixExpression) parsed;
            return assignments.count(parsed, counted.getExpression(), counted.getOperation());
        }
        return expressions.value(parsed);
    }
}
