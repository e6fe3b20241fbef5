package bt.examples.demo;

import bt.model.Bloom;
import bt.model.ColumnKey;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.TableSchema;

/**
 * The table of figure 1 of the paper. A row is a page; its key is the page's address with the host the other way round, so
 * that pages of one domain lie together: {@code https://guava.guava.google.com/index.html} is
 * {@code com.google.guava.guava/index.html}.
 */
final class Webtable {
    static final String NAME = "webtable";
    static final String ANCHOR = "anchor";
    static final String CONTENTS_FAMILY = "contents";
    static final String TITLE_FAMILY = "title";

    /** The page's bytes. */
    static final ColumnKey CONTENTS = ColumnKey.of(CONTENTS_FAMILY, "");
    /** What the page says that its language is. */
    static final ColumnKey LANGUAGE = ColumnKey.of("language", "");

    static final ColumnKey TITLE = ColumnKey.of(TITLE_FAMILY, "");

    private static final String SCHEME = "https://";
    private static final int CONTENTS_BLOCK_BYTES = 256 << 10;

    private Webtable() {}

    /** Pages apart from what is said about them: who reads titles must not read the pages (section 6 of the paper). */
    static TableSchema schema() {
        GcRule newest = new GcRule.MaxVersions(1);
        LocalityGroup pages = new LocalityGroup("pages", CONTENTS_BLOCK_BYTES, "zstd", false, Bloom.ROW);
        return TableSchema.draft(NAME)
                .group(pages)
                .family(CONTENTS_FAMILY, pages.name(), new GcRule.MaxVersions(3))
                .family(LANGUAGE.family(), newest)
                .family(TITLE_FAMILY, newest)
                .family(ANCHOR, newest)
                .build();
    }

    static String row(String url) {
        int path = url.indexOf('/', SCHEME.length());
        return Site.reversed(url.substring(SCHEME.length(), path)) + url.substring(path);
    }

    static String url(String row) {
        int path = row.indexOf('/');
        return SCHEME + Site.reversed(row.substring(0, path)) + row.substring(path);
    }

    /** The column in which the target of a link keeps its text. */
    static ColumnKey anchor(String sourceRow) {
        return ColumnKey.of(ANCHOR, sourceRow);
    }
}
