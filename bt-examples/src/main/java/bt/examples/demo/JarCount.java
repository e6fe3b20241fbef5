package bt.examples.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Counts pages and links straight from the jars. Nothing of bt is used for it, neither its client nor its jobs, so that an
 * error of theirs cannot hide in what they are compared with.
 */
final class JarCount {
    private final List<SiteJar> sites;
    private final int sample;
    private final SortedMap<String, Integer> pagesOfSites = new TreeMap<>();
    private final SortedMap<String, ExpectedPage> pages = new TreeMap<>();
    private final SortedMap<String, SortedMap<String, String>> anchors = new TreeMap<>();

    /** Of each jar so many pages at most. */
    JarCount(List<SiteJar> sites, int sample) {
        this.sites = sites;
        this.sample = sample;
    }

    Expected run(Bar bar) throws IOException {
        Map<String, String> rowsOfUrls = rowsOfUrls();
        for (SiteJar site : sites) {
            try (JarPages jar = new JarPages(Files.newInputStream(site.jar()), sample)) {
                while (jar.next()) {
                    count(site.site().url(jar.path()), jar.html(), rowsOfUrls);
                    bar.at(pages.size(), rowsOfUrls.size());
                }
            }
        }
        return new Expected(pagesOfSites, pages, anchors);
    }

    private Map<String, String> rowsOfUrls() throws IOException {
        Map<String, String> rows = new TreeMap<>();
        for (SiteJar site : sites) {
            try (JarPages jar = new JarPages(Files.newInputStream(site.jar()), sample)) {
                while (jar.next()) {
                    String url = site.site().url(jar.path());
                    rows.put(url, Webtable.row(url));
                    pagesOfSites.merge(site.site().coordinates(), 1, Integer::sum);
                }
            }
        }
        return rows;
    }

    private void count(String url, byte[] html, Map<String, String> rowsOfUrls) {
        String text = new String(html, UTF_8);
        String row = Webtable.row(url);
        pages.put(row, new ExpectedPage(Sha256.of(html), PageHead.of(text), text.contains(DeprecatedPages.MARK)));
        Links.of(url, text).forEach((target, words) -> {
            String targetRow = rowsOfUrls.get(target);
            if (targetRow != null && !targetRow.equals(row)) {
                anchors.computeIfAbsent(targetRow, none -> new TreeMap<>()).put(row, words);
            }
        });
    }
}
