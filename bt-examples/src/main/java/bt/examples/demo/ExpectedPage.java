package bt.examples.demo;

/** What the table must hold of a page, apart from its anchors. */
record ExpectedPage(String sha256, PageHead head, boolean kept) {}
