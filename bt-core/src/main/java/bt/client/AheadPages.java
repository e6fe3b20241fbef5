package bt.client;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/** Pages that were asked for before they are wanted, and what each is counted with. Guarded by its owner's lock. */
final class AheadPages {
    private final Map<AheadPage, Long> bytes = new HashMap<>();

    /** Those of them that have come, in that order: nobody waits for them. */
    private final Set<AheadPage> come = new LinkedHashSet<>();

    int count() {
        return bytes.size();
    }

    /** It is asked for, and may have so many bytes. */
    void add(AheadPage page, long most) {
        bytes.put(page, most);
    }

    /** It has come with so many bytes; how many more than it was counted with, or fewer. */
    long come(AheadPage page, long pageBytes) {
        Long before = bytes.replace(page, pageBytes);
        if (before == null) {
            return 0;
        }
        come.add(page);
        return pageBytes - before;
    }

    /** What it was counted with, which it is no more. */
    long remove(AheadPage page) {
        come.remove(page);
        Long counted = bytes.remove(page);
        return counted == null ? 0 : counted;
    }

    /** Whether there is one that can be given up. */
    boolean haveCome() {
        return !come.isEmpty();
    }

    /** Gives up the one that came first; what it was counted with. */
    long giveUpFirst() {
        AheadPage page = come.iterator().next();
        page.giveUp();
        return remove(page);
    }
}
