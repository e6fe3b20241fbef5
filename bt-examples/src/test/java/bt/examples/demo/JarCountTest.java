package bt.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JarCountTest {
    private static final Site LUCENE = Site.ALL.get(0);
    private static final Site GUAVA = Site.ALL.get(1);

    @TempDir
    private Path directory;

    @Test
    void aPairOfPagesCountsOnceWhateverItsLinks() throws IOException {
        Expected expected = count(Map.of(
                "a.html", Jars.page("<a href='b.html'>first</a><a href='b.html#x'>second</a><a href='a.html'>me</a>"),
                "b.html", Jars.page("<a href='sub/c.html'>c</a><a href='gone.html'>gone</a>"),
                "sub/c.html", Jars.page("<a href='../a.html?q'>up</a>"),
                "style.css", "no page"));
        String site = "org.apache.lucene.lucene-core/";
        assertThat(expected.pages()).containsOnlyKeys(site + "a.html", site + "b.html", site + "sub/c.html");
        assertThat(expected.anchors())
                .containsOnly(
                        Map.entry(site + "b.html", new java.util.TreeMap<>(Map.of(site + "a.html", "first"))),
                        Map.entry(site + "sub/c.html", new java.util.TreeMap<>(Map.of(site + "b.html", "c"))),
                        Map.entry(site + "a.html", new java.util.TreeMap<>(Map.of(site + "sub/c.html", "up"))));
        assertThat(expected.anchorCount()).isEqualTo(3);
    }

    @Test
    void pagesOfTwoSitesMayLinkToEachOther() throws IOException {
        SiteJar lucene = Jars.write(
                directory, LUCENE, Map.of("a.html", Jars.page("<a href='" + GUAVA.url("b.html") + "'>b</a>")));
        SiteJar guava = Jars.write(directory, GUAVA, Map.of("b.html", Jars.page("")));
        Expected expected = new JarCount(List.of(lucene, guava), Integer.MAX_VALUE).run(new Silence());
        assertThat(expected.anchors()).containsOnlyKeys("com.google.guava.guava/b.html");
        assertThat(expected.pagesOfSites())
                .containsOnly(Map.entry(LUCENE.coordinates(), 1), Map.entry(GUAVA.coordinates(), 1));
    }

    @Test
    void pagesWithSomethingDeprecatedAreKept() throws IOException {
        Expected expected = count(Map.of(
                "a.html", Jars.page("<div " + DeprecatedPages.MARK + ">"),
                "b.html", Jars.page("deprecation-block")));
        assertThat(expected.keptCount()).isEqualTo(1);
    }

    private Expected count(Map<String, String> entries) throws IOException {
        return new JarCount(List.of(Jars.write(directory, LUCENE, entries)), Integer.MAX_VALUE).run(new Silence());
    }
}
