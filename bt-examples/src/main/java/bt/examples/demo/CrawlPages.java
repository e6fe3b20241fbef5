package bt.examples.demo;

import bt.base.Bytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;

/** The crawl in memory, for who needs its pages without a cluster. */
public final class CrawlPages {
    private CrawlPages() {}

    /** Every page by its row's key in the Webtable: pages of one site lie together. 132 MB; Maven's words go to the log. */
    public static SortedMap<Bytes, Bytes> fetch(Path log, Consumer<String> notes)
            throws IOException, InterruptedException {
        SortedMap<Bytes, Bytes> pages = new TreeMap<>();
        for (SiteJar site : new Crawl(Crawl.userCache(), log).fetch(new Notes(notes))) {
            try (JarPages jar = new JarPages(Files.newInputStream(site.jar()), Integer.MAX_VALUE)) {
                while (jar.next()) {
                    Bytes row = Bytes.utf8(Webtable.row(site.site().url(jar.path())));
                    pages.put(row, Bytes.wrap(jar.html()));
                }
            }
        }
        return pages;
    }

    private record Notes(Consumer<String> notes) implements Bar {
        @Override
        public void at(long done, long total) {}

        @Override
        public void note(String text) {
            notes.accept(text);
        }
    }
}
