package bt.scripting.gate;

import bt.base.RejectedException;
import java.util.List;
import java.util.stream.Stream;
import org.codehaus.groovy.ast.ASTNode;
import org.codehaus.groovy.ast.ModuleNode;
import org.codehaus.groovy.ast.stmt.BlockStatement;
import org.codehaus.groovy.control.CompilationFailedException;
import org.codehaus.groovy.control.CompilerConfiguration;
import org.codehaus.groovy.control.ErrorCollector;
import org.codehaus.groovy.control.MultipleCompilationErrorsException;
import org.codehaus.groovy.control.SourceUnit;
import org.codehaus.groovy.control.messages.SyntaxErrorMessage;
import org.codehaus.groovy.syntax.SyntaxException;

/** Groovy's parser by itself: it makes a tree of the source, resolves no name and runs no transformation. */
final class Parser {
    private Parser() {}

    /** The statements of the script, which is all that it may consist of. */
    static BlockStatement parse(String source, CompilerConfiguration configuration) throws RejectedException {
        ModuleNode module = module(source, configuration);
        List<ASTNode> beside = Stream.of(
                        module.getImports(),
                        module.getStarImports(),
                        List.copyOf(module.getStaticImports().values()),
                        List.copyOf(module.getStaticStarImports().values()),
                        module.getMethods(),
                        module.getClasses().stream().filter(c -> !c.isScript()).toList(),
                        module.hasPackage() ? List.of(module.getPackage()) : List.<ASTNode>of())
                .<ASTNode>flatMap(List::stream)
                .toList();
        if (!beside.isEmpty()) {
            throw Refusal.at(beside.get(0), "a script is statements, without package, import, class and method");
        }
        return module.getStatementBlock();
    }

    private static ModuleNode module(String source, CompilerConfiguration configuration) throws RejectedException {
        SourceUnit unit = new SourceUnit("script", source, configuration, null, new ErrorCollector(configuration));
        try {
            unit.parse();
            unit.completePhase();
            unit.nextPhase();
            unit.convert();
            return unit.getAST();
        } catch (MultipleCompilationErrorsException e) {
            throw syntaxError(e);
        } catch (CompilationFailedException e) {
            // So the parser reports that its stack was too small.
            throw Refusal.at(1, 1, "nested too deeply", "write it as several statements");
        }
    }

    static RejectedException syntaxError(MultipleCompilationErrorsException e) {
        if (e.getErrorCollector().getError(0) instanceof SyntaxErrorMessage message) {
            SyntaxException cause = message.getCause();
            return Refusal.at(cause.getStartLine(), cause.getStartColumn(), cause.getOriginalMessage());
        }
        return Refusal.at(1, 1, String.valueOf(e.getMessage()));
    }
}
