package bt.scripting.gate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import bt.base.Bytes;
import bt.base.Clock;
import bt.base.RejectedException;
import bt.script.ScriptBudget;
import bt.scripting.dsl.ArgumentWords;
import bt.scripting.dsl.CellFilter;
import bt.scripting.dsl.Meter;
import groovyjarjarasm.asm.ClassWriter;
import groovyjarjarasm.asm.MethodVisitor;
import groovyjarjarasm.asm.Opcodes;
import java.lang.ref.WeakReference;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The last two gates by themselves, with a class that the ones before would never let come so far. */
class ScriptLoaderTest {
    @Test
    void aClassThatCallsSomethingElseIsRefused() {
        assertThatThrownBy(() -> ClassGuard.check(collectingGarbage()))
                .isInstanceOf(RejectedException.class)
                .hasMessage("script at line 1, column 1: the script compiles to a call of java/lang/System.gc,"
                        + " which no script may use: correct it there");
    }

    @Test
    void aClassThatCallsSomethingElseCannotBeLinked() throws ReflectiveOperationException {
        CellFilter filter = new ScriptLoader()
                .define("bt.scripting.Script", collectingGarbage())
                .getConstructor()
                .newInstance();
        Meter meter = new Meter(ScriptBudget.DEFAULT, Clock.system(), () -> 0);

        assertThatThrownBy(() -> filter.keeps(meter, "", ArgumentWords.of(Bytes.EMPTY)))
                .isInstanceOf(NoClassDefFoundError.class)
                .hasRootCauseMessage("java.lang.System is hidden from scripts");
    }

    @Test
    void aScriptThatNobodyUsesIsCollected() throws RejectedException {
        WeakReference<Class<?>> script = new WeakReference<>(
                ScriptCompiler.compile("cell.text.contains('x')").getClass());

        await().atMost(Duration.ofSeconds(30)).untilAsserted(() -> {
            System.gc();
            assertThat(script.get()).isNull();
        });
    }

    private static byte[] collectingGarbage() {
        ClassWriter writer = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        String base = CellFilter.class.getName().replace('.', '/');
        writer.visit(Opcodes.V17, Opcodes.ACC_PUBLIC, "bt/scripting/Script", null, base, null);
        MethodVisitor constructor = writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
        constructor.visitVarInsn(Opcodes.ALOAD, 0);
        constructor.visitMethodInsn(Opcodes.INVOKESPECIAL, base, "<init>", "()V", false);
        constructor.visitInsn(Opcodes.RETURN);
        constructor.visitMaxs(0, 0);
        MethodVisitor keeps = writer.visitMethod(
                Opcodes.ACC_PUBLIC,
                "keeps",
                "(Lbt/scripting/dsl/Meter;Ljava/lang/Object;Ljava/lang/Object;)Ljava/lang/Object;",
                null,
                null);
        keeps.visitMethodInsn(Opcodes.INVOKESTATIC, "java/lang/System", "gc", "()V", false);
        keeps.visitInsn(Opcodes.ACONST_NULL);
        keeps.visitInsn(Opcodes.ARETURN);
        keeps.visitMaxs(0, 0);
        writer.visitEnd();
        return writer.toByteArray();
    }
}
