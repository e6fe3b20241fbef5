package bt.tablet;

import bt.model.CellKey;
import bt.record.FamilyAges;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;

/** What a memtable or a file tells of its families, found by family: a table may have hundreds, and whoever asks asks for each. */
final class PerFamily<T> {
    private final List<T> ofRows;
    private final Map<Integer, List<T>> ofFamilies = new HashMap<>();

    private PerFamily(List<T> told, ToIntFunction<T> family) {
        told.forEach(one -> ofFamilies
                .computeIfAbsent(family.applyAsInt(one), first -> new ArrayList<>(1))
                .add(one));
        ofRows = ofFamilies.getOrDefault(CellKey.ROW_LEVEL, List.of());
    }

    static PerFamily<ChangeTimes> of(List<ChangeTimes> memtable) {
        return new PerFamily<>(memtable, ChangeTimes::family);
    }

    static PerFamily<FamilyAges> of(FileFacts file) {
        return new PerFamily<>(file.ages(), FamilyAges::getFamily);
    }

    /** What concerns this one: its own, and what is told of whole rows. */
    List<T> of(int family) {
        List<T> own = ofFamilies.getOrDefault(family, List.of());
        if (ofRows.isEmpty()) {
            return own;
        }
        List<T> both = new ArrayList<>(ofRows);
        both.addAll(own);
        return both;
    }
}
