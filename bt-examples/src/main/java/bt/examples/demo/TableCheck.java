package bt.examples.demo;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.model.Cell;
import bt.model.Row;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Reads the whole table and compares every cell with what the jars say. One thread. */
final class TableCheck {
    private final Expected expected;
    private final Checks checks;
    private long pages;
    private long anchors;

    TableCheck(Expected expected, Checks checks) {
        this.expected = expected;
        this.checks = checks;
    }

    /** What was found. */
    record Counts(long pages, long anchors) {}

    Counts run(Table webtable, Bar bar) throws BigtableException {
        try (Scanner rows = webtable.scan(Scan.all())) {
            for (Optional<Row> row = rows.next(); row.isPresent(); row = rows.next()) {
                check(row.get());
                bar.at(pages, expected.pages().size());
            }
        }
        checks.equal("pages in the table", expected.pages().size(), pages);
        checks.equal("anchors in the table", expected.anchorCount(), anchors);
        return new Counts(pages, anchors);
    }

    private void check(Row row) {
        String key = row.key().toUtf8();
        ExpectedPage page = expected.pages().get(key);
        if (page == null) {
            checks.failed("row " + key + " is no page of the jars");
            return;
        }
        row.value(Webtable.CONTENTS).ifPresent(contents -> {
            pages++;
            checks.equal("SHA-256 of " + key, page.sha256(), Sha256.of(contents.toArray()));
        });
        checks.equal("title of " + key, page.head().title(), text(row.value(Webtable.TITLE)));
        checks.equal("language of " + key, page.head().language(), text(row.value(Webtable.LANGUAGE)));
        SortedMap<String, String> found = new TreeMap<>();
        for (Cell cell : row.cells()) {
            if (cell.column().family().equals(Webtable.ANCHOR)) {
                found.put(cell.column().qualifier().toUtf8(), cell.value().toUtf8());
                anchors++;
            }
        }
        checks.equal("anchors of " + key, expected.anchors().getOrDefault(key, new TreeMap<>()), found);
    }

    private static String text(Optional<Bytes> value) {
        return value.map(Bytes::toUtf8).orElse("");
    }
}
