package bt.scripting.gate;

import bt.base.RejectedException;
import bt.scripting.dsl.CellFilter;
import bt.scripting.dsl.Meter;
import groovy.lang.GroovyClassLoader;
import groovy.transform.CompileStatic;
import groovy.transform.stc.POJO;
import java.io.IOException;
import java.io.Reader;
import java.lang.reflect.Modifier;
import java.util.Set;
import org.codehaus.groovy.ast.AnnotationNode;
import org.codehaus.groovy.ast.ClassHelper;
import org.codehaus.groovy.ast.ClassNode;
import org.codehaus.groovy.ast.ModuleNode;
import org.codehaus.groovy.ast.Parameter;
import org.codehaus.groovy.ast.expr.ConstantExpression;
import org.codehaus.groovy.ast.stmt.Statement;
import org.codehaus.groovy.control.CompilationUnit;
import org.codehaus.groovy.control.CompilerConfiguration;
import org.codehaus.groovy.control.MultipleCompilationErrorsException;
import org.codehaus.groovy.control.ParserPlugin;
import org.codehaus.groovy.control.ParserPluginFactory;
import org.codehaus.groovy.control.Phases;
import org.codehaus.groovy.control.SourceUnit;
import org.codehaus.groovy.syntax.Reduction;
import org.jspecify.annotations.Nullable;

/** Makes a {@link CellFilter} of a source that passes every gate of this package. Any thread. */
public final class ScriptCompiler {
    /** The class that each script becomes, in a loader of its own. Its frames in a stack trace tell the line. */
    public static final String CLASS = "bt.scripting.Script";

    static final String METHOD = "keeps";

    private ScriptCompiler() {}

    /** Compiles, or is REJECTED with line, column and reason. */
    public static CellFilter compile(String source) throws RejectedException {
        try {
            SourceBounds.check(source);
            Statement body = new StatementTranslator()
                    .translate(Parser.parse(source, configuration(ParserPluginFactory.antlr4())));
            byte[] bytes = bytecode(body);
            ClassGuard.check(bytes);
            return new ScriptLoader().define(CLASS, bytes).getConstructor().newInstance();
        } catch (StackOverflowError e) {
            throw Refusal.at(1, 1, "nested too deeply", "write it as several statements");
        } catch (ReflectiveOperationException e) {
            throw new LinkageError("a script", e);
        }
    }

    /** The names of all that a script can write after a dot. */
    public static String words() {
        return String.join(", ", WordTable.PROPERTIES.names(), WordTable.METHODS.names(), WordTable.MATH.names());
    }

    static byte[] bytecode(Statement body) throws RejectedException {
        CompilerConfiguration configuration = configuration(new Translated(body));
        try (GroovyClassLoader loader = new GroovyClassLoader(ScriptCompiler.class.getClassLoader(), configuration)) {
            CompilationUnit unit = new CompilationUnit(configuration, null, loader);
            unit.addSource("script", "");
            unit.compile(Phases.CLASS_GENERATION);
            return unit.getClasses().get(0).getBytes();
        } catch (MultipleCompilationErrorsException e) {
            throw Parser.syntaxError(e);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static CompilerConfiguration configuration(ParserPluginFactory parser) {
        CompilerConfiguration configuration = new CompilerConfiguration();
        configuration.setPluginFactory(parser);
        configuration.setTargetBytecode(CompilerConfiguration.JDK17);
        // Grape fetches libraries while it compiles.
        configuration.setDisabledGlobalASTTransformations(Set.of("groovy.grape.GrabAnnotationTransformation"));
        return configuration;
    }

    /** In the place of a parser: gives the compiler the class that was translated. */
    private static final class Translated extends ParserPluginFactory implements ParserPlugin {
        private final Statement body;

        Translated(Statement body) {
            this.body = body;
        }

        @Override
        public ParserPlugin createParserPlugin() {
            return this;
        }

        @Override
        public @Nullable Reduction parseCST(SourceUnit unit, Reader reader) {
            return null;
        }

        @Override
        public ModuleNode buildAST(SourceUnit unit, ClassLoader loader, @Nullable Reduction reduction) {
            ClassNode script =
                    new ClassNode(CLASS, Modifier.PUBLIC | Modifier.FINAL, ClassHelper.make(CellFilter.class));
            AnnotationNode compileStatic = new AnnotationNode(ClassHelper.make(CompileStatic.class));
            compileStatic.addMember("extensions", new ConstantExpression(WordsOnly.class.getName()));
            script.addAnnotation(compileStatic);
            // A plain class: without a metaclass, and so without a trace in Groovy's registry.
            script.addAnnotation(new AnnotationNode(ClassHelper.make(POJO.class)));
            script.addMethod(
                    METHOD,
                    Modifier.PUBLIC,
                    ClassHelper.OBJECT_TYPE,
                    new Parameter[] {
                        new Parameter(ClassHelper.make(Meter.class), Scope.METER),
                        new Parameter(ClassHelper.OBJECT_TYPE, Scope.CELL),
                        new Parameter(ClassHelper.OBJECT_TYPE, Scope.ARGUMENT)
                    },
                    ClassNode.EMPTY_ARRAY,
                    body);
            ModuleNode module = new ModuleNode(unit);
            module.addClass(script);
            return module;
        }
    }
}
