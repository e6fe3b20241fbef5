package bt.scripting.gate;

import bt.base.RejectedException;
import bt.scripting.dsl.CellFilter;
import groovyjarjarasm.asm.ClassReader;
import groovyjarjarasm.asm.ClassVisitor;
import groovyjarjarasm.asm.FieldVisitor;
import groovyjarjarasm.asm.Handle;
import groovyjarjarasm.asm.Label;
import groovyjarjarasm.asm.MethodVisitor;
import groovyjarjarasm.asm.Opcodes;
import groovyjarjarasm.asm.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads a compiled script as the machine will: which methods it calls, which types it names. What was meant has been
 * checked by then; this checks what came out.
 */
final class ClassGuard {
    private static final String BASE = Type.getInternalName(CellFilter.class);
    private static final Set<String> METHODS = Set.of("<init>", ScriptCompiler.METHOD);

    /** What the compiler adds by itself: boxes, and the walk over a list. */
    private static final Set<String> CALLS = Set.of(
            BASE + ".<init>()V",
            "java/lang/Boolean.valueOf(Z)Ljava/lang/Boolean;",
            "java/lang/Long.valueOf(J)Ljava/lang/Long;",
            "java/lang/Double.valueOf(D)Ljava/lang/Double;",
            "java/util/List.iterator()Ljava/util/Iterator;",
            "java/util/Iterator.hasNext()Z",
            "java/util/Iterator.next()Ljava/lang/Object;");

    private static final Set<String> TRUTHS = Set.of("java/lang/Boolean.TRUE", "java/lang/Boolean.FALSE");

    private static final Set<String> TYPES =
            Set.of("java/lang/Object", "java/lang/String", "java/lang/Boolean", "java/lang/Long", "java/lang/Double");

    private final List<String> strange = new ArrayList<>();

    private ClassGuard() {}

    static void check(byte[] bytes) throws RejectedException {
        ClassGuard guard = new ClassGuard();
        new ClassReader(bytes).accept(guard.new Members(), 0);
        if (!guard.strange.isEmpty()) {
            throw Refusal.at(1, 1, "the script compiles to " + guard.strange.get(0) + ", which no script may use");
        }
    }

    private void allow(boolean allowed, String what) {
        if (!allowed) {
            strange.add(what);
        }
    }

    private final class Members extends ClassVisitor {
        Members() {
            super(Opcodes.ASM9);
        }

        @Override
        public void visit(
                int version,
                int access,
                String name,
                @Nullable String signature,
                @Nullable String superName,
                String @Nullable [] interfaces) {
            allow(BASE.equals(superName), "a class that extends " + superName);
            allow(interfaces == null || interfaces.length == 0, "a class with interfaces");
        }

        @Override
        public @Nullable FieldVisitor visitField(
                int access, String name, String descriptor, @Nullable String signature, @Nullable Object value) {
            allow(false, "the field " + name);
            return null;
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            allow(METHODS.contains(name), "the method " + name);
            return new Instructions();
        }
    }

    private final class Instructions extends MethodVisitor {
        Instructions() {
            super(Opcodes.ASM9);
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean isInterface) {
            boolean word = opcode == Opcodes.INVOKESTATIC && WordTable.isWord(owner, name, descriptor);
            allow(word || CALLS.contains(owner + "." + name + descriptor), "a call of " + owner + "." + name);
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            allow(false, "a dynamic call of " + name);
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            boolean truth = opcode == Opcodes.GETSTATIC && TRUTHS.contains(owner + "." + name);
            allow(truth, "the field " + owner + "." + name);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            boolean elements = opcode == Opcodes.ANEWARRAY && type.equals("java/lang/Object");
            allow(elements || (opcode == Opcodes.CHECKCAST && TYPES.contains(type)), "the type " + type);
        }

        @Override
        public void visitLdcInsn(Object value) {
            boolean plain = value instanceof String || value instanceof Number;
            allow(plain, "a constant of " + value.getClass().getSimpleName());
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            allow(opcode != Opcodes.NEWARRAY, "an array");
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            allow(false, "an array");
        }

        @Override
        public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
            allow(false, "a handler of failures");
        }

        @Override
        public void visitInsn(int opcode) {
            // A throw is there as well, behind loops without an end, where the machine's rules want some instruction;
            // it
            // could throw nothing but a failure, and no script can hold one.
            allow(opcode != Opcodes.MONITORENTER && opcode != Opcodes.MONITOREXIT, "a lock");
        }
    }
}
