package bt.examples.demo;

import java.util.ArrayList;
import java.util.List;

/** What was found to be other than it should be. One thread. */
final class Checks {
    private static final int SHOWN = 20;
    private static final int VALUE_CHARACTERS = 200;

    private final List<String> failures = new ArrayList<>();
    private long count;

    void equal(String what, long expected, long found) {
        equal(what, (Object) expected, found);
    }

    void equal(String what, Object expected, Object found) {
        if (!expected.equals(found)) {
            failed(what + ": " + shortened(found) + ", expected " + shortened(expected));
        }
    }

    void failed(String failure) {
        count++;
        if (failures.size() < SHOWN) {
            failures.add(failure);
        }
    }

    boolean allHold() {
        return count == 0;
    }

    long count() {
        return count;
    }

    /** The first ones. */
    List<String> failures() {
        return List.copyOf(failures);
    }

    private static String shortened(Object value) {
        String text = String.valueOf(value);
        return text.length() <= VALUE_CHARACTERS ? text : text.substring(0, VALUE_CHARACTERS) + "...";
    }
}
