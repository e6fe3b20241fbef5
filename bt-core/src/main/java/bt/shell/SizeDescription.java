package bt.shell;

import bt.client.TableSizes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What {@code bt describe --sizes} tells of a table. */
record SizeDescription(String table, TableSizes sizes) implements DescribeCommand.Told {
    @Override
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        for (TableSizes.Family family : sizes.families()) {
            lines.add(
                    "family\t" + family.name() + "\tmemory\t" + family.memoryCells() + " cells\t" + family.memoryBytes()
                            + " bytes\tfiles\t" + family.fileCells() + " cells\t" + family.fileBytes()
                            + " bytes before compression\tpurge\t" + line(family.purge()));
        }
        for (TableSizes.Group group : sizes.groups()) {
            lines.add("group\t" + group.name() + "\tmemory\t" + group.memoryBytes() + " bytes\t" + line(group.files()));
        }
        if (sizes.elsewhere().count() > 0) {
            lines.add("earlier grouping\t" + line(sizes.elsewhere()));
        }
        return lines;
    }

    private static String line(TableSizes.Purge purge) {
        String promised = purge.promisedMicros().isPresent()
                ? "within " + Ages.format(purge.promisedMicros().getAsLong())
                : "not promised";
        String deletion = purge.deletionMicros().isPresent()
                ? Ages.about(purge.deletionMicros().getAsLong()) + " old"
                : "none";
        String waiting = purge.waitingMicros().isPresent()
                ? Ages.about(purge.waitingMicros().getAsLong())
                : "none";
        return promised + "\toldest deletion " + deletion + "\twaiting " + waiting
                + (purge.isBroken() ? "\tTHE PROMISE IS BROKEN" : "");
    }

    private static String line(TableSizes.Files files) {
        return "files\t" + files.count() + "\t" + files.bytes() + " bytes on disk\t" + files.deletions() + " deletions";
    }

    @Override
    public Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("table", table);
        document.put(
                "families",
                sizes.families().stream().map(SizeDescription::family).toList());
        document.put(
                "groups", sizes.groups().stream().map(SizeDescription::group).toList());
        document.put("earlierGrouping", files(sizes.elsewhere()));
        return document;
    }

    private static Map<String, Object> family(TableSizes.Family family) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("family", family.name());
        document.put("memoryCells", family.memoryCells());
        document.put("memoryBytes", family.memoryBytes());
        document.put("fileCells", family.fileCells());
        document.put("fileBytes", family.fileBytes());
        TableSizes.Purge purge = family.purge();
        purge.promisedMicros().ifPresent(micros -> document.put("purgeMicros", micros));
        purge.waitingMicros().ifPresent(micros -> document.put("waitingMicros", micros));
        purge.deletionMicros().ifPresent(micros -> document.put("deletionMicros", micros));
        document.put("promiseBroken", purge.isBroken());
        return document;
    }

    private static Map<String, Object> group(TableSizes.Group group) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("group", group.name());
        document.put("memoryBytes", group.memoryBytes());
        document.putAll(files(group.files()));
        return document;
    }

    private static Map<String, Object> files(TableSizes.Files files) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("files", files.count());
        document.put("diskBytes", files.bytes());
        document.put("deletions", files.deletions());
        return document;
    }
}
