package bt.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WebtableTest {
    @Test
    void theHostIsReversedAndThePathIsNot() {
        assertThat(Webtable.row("https://guava.guava.google.com/com/google/common.base.html"))
                .isEqualTo("com.google.guava.guava/com/google/common.base.html");
    }

    @Test
    void theKeyOfARowIsItsAddress() {
        for (Site site : Site.ALL) {
            String url = site.url("org/a.b/C.html");
            assertThat(Webtable.url(Webtable.row(url))).isEqualTo(url);
        }
    }

    @Test
    void aSitesRowsBeginWithItsGroup() {
        assertThat(Site.ALL).allSatisfy(site -> assertThat(Webtable.row(site.url("index.html")))
                .isEqualTo(site.group() + "." + site.artifact() + "/index.html"));
    }
}
