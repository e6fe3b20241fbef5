package bt.examples.chaos;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Whether what clients did to one register can be put into an order that a register could have, each operation at some moment
 * between its begin and its end. Every value is written once, so the operations of a value, its write and its reads, must
 * follow each other, and each value has a zone: the time in which the register must have held it, from its first end to its
 * last begin (forward), or, where all of them overlap, the time within which it may have come and gone (backward). An order
 * exists if and only if no read ends before its write begins, no two forward zones overlap, and no backward zone lies within
 * a forward one (Gibbons and Korach, "Testing shared memories", 1997). Sorting is all that costs.
 */
final class Linearizability {
    /** What a register holds before it is written; nobody writes it. */
    static final long NOTHING = 0;

    private Linearizability() {}

    /** What contradicts it, in words; nothing if there is an order. Writes that were not applied are not among them. */
    static List<String> violations(List<Operation> operations) {
        Map<Long, Span> spans = new HashMap<>();
        spans.put(NOTHING, new Span(NOTHING));
        for (Operation each : operations) {
            spans.computeIfAbsent(each.value(), Span::new).add(each);
        }
        List<String> violations = new ArrayList<>();
        List<Span> sound = new ArrayList<>();
        for (Span span : spans.values()) {
            span.complaint().ifPresentOrElse(violations::add, () -> sound.add(span));
        }
        violations.addAll(overlaps(sound));
        return violations;
    }

    private static List<String> overlaps(List<Span> spans) {
        List<String> violations = new ArrayList<>();
        List<Span> forward = spans.stream()
                .filter(Span::isForward)
                .sorted(Comparator.comparingLong(Span::low))
                .toList();
        TreeMap<Long, Span> byLow = new TreeMap<>();
        Span before = null;
        for (Span span : forward) {
            if (before != null && span.low() < before.high()) {
                violations.add(before + " and " + span + " were both there");
            }
            before = before == null || span.high() > before.high() ? span : before;
            byLow.put(span.low(), span);
        }
        for (Span span : spans) {
            Map.Entry<Long, Span> around =
                    span.isForward() || !span.mustHaveBeen() ? null : byLow.floorEntry(span.low());
            if (around != null && around.getValue().high() >= span.high()) {
                violations.add(span + " was there while " + around.getValue() + " was");
            }
        }
        return violations;
    }
}
