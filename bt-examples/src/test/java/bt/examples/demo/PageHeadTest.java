package bt.examples.demo;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PageHeadTest {
    @Test
    void titleAndLanguageAreThePagesOwn() {
        assertThat(PageHead.of("<!DOCTYPE HTML>\n<html lang='de'><head><title> A &amp; B\n</title></head><body>x"))
                .isEqualTo(new PageHead("A & B", "de"));
    }

    @Test
    void aPageThatSaysNoLanguageIsUndetermined() {
        assertThat(PageHead.of("<html><HEAD><title>A</title></HEAD><body>x").language())
                .isEqualTo("und");
    }

    @Test
    void aTitleInTheBodyIsNone() {
        assertThat(PageHead.of("<html><head></head><body><title>x</title></body>")
                        .title())
                .isEmpty();
    }
}
