package bt.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class LinksTest {
    private static final String PAGE = "https://a.example.com/java/util/List.html";

    @Test
    void relativeLinksAreResolvedAgainstThePage() {
        assertThat(links("<a href='Map.html'>m</a><a href='../lang/Object.html'>o</a><a href='/index.html'>i</a>"))
                .containsExactly(
                        Map.entry("https://a.example.com/java/util/Map.html", "m"),
                        Map.entry("https://a.example.com/java/lang/Object.html", "o"),
                        Map.entry("https://a.example.com/index.html", "i"));
    }

    @Test
    void fragmentAndQueryAreCutOff() {
        assertThat(links("<a href='Map.html#get'>1</a><a href='Set.html?x=1#y'>2</a><a href='Bag.html#a?b'>3</a>"))
                .containsOnlyKeys(
                        "https://a.example.com/java/util/Map.html",
                        "https://a.example.com/java/util/Set.html",
                        "https://a.example.com/java/util/Bag.html");
    }

    @Test
    void twoLinksToOnePageAreOneWithTheTextOfTheFirst() {
        assertThat(links("<a href='Map.html#get'>get</a> <a href='Map.html'>Map</a>"))
                .containsExactly(Map.entry("https://a.example.com/java/util/Map.html", "get"));
    }

    @Test
    void textIsWhatAReaderSees() {
        assertThat(links("<a href='Map.html'><code>Map&lt;K,\n V&gt;</code> <b>bold</b></a>"))
                .containsValue("Map<K, V> bold");
    }

    @Test
    void linksElsewhereKeepTheirHost() {
        assertThat(links("<a href='https://b.example.com/x.html'>b</a>"))
                .containsOnlyKeys("https://b.example.com/x.html");
    }

    @Test
    void namesAndCommentsAreNoLinks() {
        assertThat(links("<a name='top'>t</a><a id='x'>x</a><!-- <a href='Map.html'>m</a> --><link href='s.css'>"))
                .isEmpty();
    }

    private static Map<String, String> links(String body) {
        return Links.of(PAGE, Jars.page(body));
    }
}
