package bt.scripting.gate;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The names that a script can use at the place which is being translated. */
final class Scope {
    /** The cell, the argument, and in the compiled method the meter, whose name no script can write. */
    static final String CELL = "cell";

    static final String ARGUMENT = "argument";
    static final String METER = "meter$";

    private final Deque<Map<String, Variable>> blocks = new ArrayDeque<>();

    Scope() {
        enter();
        declare(CELL, new Variable("", false));
        declare(ARGUMENT, new Variable("", false));
    }

    /** What a script knows of a variable: how values are checked that it is given, and whether it may be given any. */
    record Variable(String check, boolean assignable) {}

    void enter() {
        blocks.push(new HashMap<>());
    }

    void leave() {
        blocks.pop();
    }

    void declare(String name, Variable variable) {
        blocks.element().put(name, variable);
    }

    Optional<Variable> find(String name) {
        return blocks.stream()
                .filter(block -> block.containsKey(name))
                .map(block -> block.get(name))
                .findFirst();
    }
}
