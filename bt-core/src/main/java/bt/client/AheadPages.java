package bt.client;

import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;

/** Pages that were asked for before they are wanted, and what each is counted with. Guarded by its owner's lock. */
final class AheadPages {
    private final Map<AheadPage, Long> bytes = new HashMap<>();

    /** When those of them came that have come, in that order: nobody waits for them. */
    private final Map<AheadPage, Long> come = new LinkedHashMap<>();

    /** What these are counted with together. */
    private long comeBytes;

    int count() {
        return bytes.size();
    }

    /** Of those that have come. */
    long comeBytes() {
        return comeBytes;
    }

    /** It is asked for, and may have so many bytes. */
    void add(AheadPage page, long most) {
        bytes.put(page, most);
    }

    /** It has come now, with so many bytes; how many more than it was counted with, or fewer. */
    long come(AheadPage page, long pageBytes, long nowNanos) {
        Long before = bytes.replace(page, pageBytes);
        if (before == null) {
            return 0;
        }
        come.put(page, nowNanos);
        comeBytes += pageBytes;
        return pageBytes - before;
    }

    /** What it was counted with, which it is no more. */
    long remove(AheadPage page) {
        Long counted = bytes.remove(page);
        if (counted == null) {
            return 0;
        }
        if (come.remove(page) != null) {
            comeBytes -= counted;
        }
        return counted;
    }

    /** Whether so many, with so many bytes, had come by then: they can be given up. */
    boolean haveCome(int pages, long pagesBytes, long byNanos) {
        if (pages > come.size() || pagesBytes > comeBytes) {
            return false;
        }
        int leftPages = pages;
        long leftBytes = pagesBytes;
        Iterator<Map.Entry<AheadPage, Long>> first = come.entrySet().iterator();
        while (leftPages > 0 || leftBytes > 0) {
            Map.Entry<AheadPage, Long> page = first.next();
            if (page.getValue() - byNanos > 0) {
                return false;
            }
            leftPages--;
            leftBytes -= bytes.getOrDefault(page.getKey(), 0L);
        }
        return true;
    }

    /** Gives up the one that came first; what it was counted with. */
    long giveUpFirst() {
        AheadPage page = come.keySet().iterator().next();
        page.giveUp();
        return remove(page);
    }
}
