package bt.model;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;

/** Which letters outside of ASCII differ by case alone, one by one: é and É, the three sigmas, and not ß and SS. */
final class LetterCases {
    private static final int FIRST = 0x80;

    /** By what they are without case; the few thousand that are not alone. */
    private static final Map<Integer, SortedSet<Integer>> ALIKE = alike();

    private LetterCases() {}

    /** It, and what differs from it by case. */
    static List<Integer> of(int letter) {
        SortedSet<Integer> alike = ALIKE.get(folded(letter));
        return alike == null ? List.of(letter) : List.copyOf(alike);
    }

    private static Map<Integer, SortedSet<Integer>> alike() {
        Map<Integer, SortedSet<Integer>> alike = new HashMap<>();
        for (int letter = FIRST; letter <= Character.MAX_CODE_POINT; letter++) {
            int folded = folded(letter);
            if (folded >= FIRST && folded != letter) {
                SortedSet<Integer> those = alike.computeIfAbsent(folded, none -> new TreeSet<>());
                those.add(folded);
                those.add(letter);
            }
        }
        return alike;
    }

    private static int folded(int letter) {
        return Character.toLowerCase(Character.toUpperCase(letter));
    }
}
