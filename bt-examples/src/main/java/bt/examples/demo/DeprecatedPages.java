package bt.examples.demo;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.model.Filter;
import java.util.List;

/** A scan whose filter is a Groovy script, run by the tablet servers: which pages tell of something deprecated? */
final class DeprecatedPages {
    /** What Javadoc writes before the words of a {@code @deprecated} tag. */
    static final String MARK = "class=\"deprecation-block\"";

    private static final String SCRIPT = "cell.family == 'contents' && cell.text.contains(argument.text)";

    private DeprecatedPages() {}

    /** Rows that the script was shown, and rows of which it kept a cell. */
    record Found(long seen, long kept) {}

    static Found find(Table webtable, long pages, Bar bar) throws BigtableException {
        Filter contents = new Filter.Families(List.of(Webtable.CONTENTS_FAMILY));
        Filter script = new Filter.Script("groovy", SCRIPT, Bytes.utf8(MARK));
        long kept = 0;
        try (Scanner rows = webtable.scan(Scan.all().filtered(new Filter.Chain(List.of(contents, script))))) {
            while (rows.next().isPresent()) {
                kept++;
                bar.at(rows.rowsSeen(), pages);
            }
            return new Found(rows.rowsSeen(), kept);
        }
    }
}
