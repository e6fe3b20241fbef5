package bt.model;

import java.util.AbstractList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.RandomAccess;

/** The families of a schema, found by name and by id: a table may have hundreds, and each change of a write asks for its own. */
final class FamilyList extends AbstractList<FamilySchema> implements RandomAccess {
    /** To go through so many is faster than to look one up, and most tables have no more. */
    private static final int FEW = 8;

    private final List<FamilySchema> families;
    private final Map<String, FamilySchema> byName;
    private final Map<Integer, Integer> placeById;

    private FamilyList(List<FamilySchema> families) {
        this.families = families;
        boolean isLong = families.size() > FEW;
        byName = isLong ? new HashMap<>() : Map.of();
        placeById = isLong ? new HashMap<>() : Map.of();
        if (isLong) {
            // Whoever makes a schema refuses two of one name, or id, afterwards.
            families.forEach(family -> byName.put(family.name(), family));
            for (int i = 0; i < families.size(); i++) {
                placeById.put(families.get(i).id(), i);
            }
        }
    }

    static FamilyList copyOf(List<FamilySchema> families) {
        return families instanceof FamilyList known ? known : new FamilyList(List.copyOf(families));
    }

    @Override
    public FamilySchema get(int index) {
        return families.get(index);
    }

    @Override
    public int size() {
        return families.size();
    }

    Optional<FamilySchema> named(String name) {
        if (!byName.isEmpty()) {
            return Optional.ofNullable(byName.get(name));
        }
        for (int i = 0; i < families.size(); i++) {
            if (families.get(i).name().equals(name)) {
                return Optional.of(families.get(i));
            }
        }
        return Optional.empty();
    }

    Optional<FamilySchema> ofId(int id) {
        int place = placeOf(id);
        return place < 0 ? Optional.empty() : Optional.of(families.get(place));
    }

    /** Below 0: there is none. */
    int placeOf(int id) {
        if (!placeById.isEmpty()) {
            return placeById.getOrDefault(id, -1);
        }
        for (int i = 0; i < families.size(); i++) {
            if (families.get(i).id() == id) {
                return i;
            }
        }
        return -1;
    }
}
