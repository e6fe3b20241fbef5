package bt.examples.demo;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What must be in the table at the end: pages by row, and for each row that links lead to, the texts of the links by the
 * row they come from.
 */
record Expected(
        SortedMap<String, Integer> pagesOfSites,
        SortedMap<String, ExpectedPage> pages,
        SortedMap<String, SortedMap<String, String>> anchors) {
    Expected {
        pagesOfSites = Collections.unmodifiableSortedMap(new TreeMap<>(pagesOfSites));
        pages = Collections.unmodifiableSortedMap(new TreeMap<>(pages));
        anchors = Collections.unmodifiableSortedMap(new TreeMap<>(anchors));
    }

    long anchorCount() {
        return anchors.values().stream().mapToLong(Map::size).sum();
    }

    long keptCount() {
        return pages.values().stream().filter(ExpectedPage::kept).count();
    }
}
