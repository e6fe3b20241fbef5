package bt.doctor;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.doctor.TabletFacts.FileSight;
import bt.model.CellKey;
import bt.model.FamilySchema;
import bt.model.RowRange;
import bt.record.FileReference;
import bt.record.SSTableProperties;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/** 3: every file that a tablet refers to is there and whole, says what METADATA says of it, and shows no row of another. */
final class FileReferences implements Invariant<TabletFacts> {
    @Override
    public List<Finding> check(TabletFacts tablet) {
        List<Finding> found = new ArrayList<>();
        for (FileSight file : tablet.files()) {
            String path = file.reference().getPath();
            if (!file.exists()) {
                found.add(tablet.finding(Rule.FILES, path, "the file is missing"));
            } else if (!file.failure().isEmpty()) {
                found.add(tablet.finding(Rule.FILES, path, file.failure()));
            } else {
                disagreements(tablet, file).forEach(fact -> found.add(tablet.finding(Rule.FILES, path, fact)));
            }
        }
        return found;
    }

    private static List<String> disagreements(TabletFacts tablet, FileSight file) {
        List<String> facts = new ArrayList<>();
        FileReference reference = file.reference();
        // Of a file that several tablets share each counts the bytes that its clip shows, about.
        boolean clipped = !clip(reference).equals(RowRange.ALL);
        if (clipped ? file.bytes() < reference.getBytes() : file.bytes() != reference.getBytes()) {
            facts.add("the file has " + file.bytes() + " bytes, by METADATA " + reference.getBytes());
        }
        if (file.properties().isPresent()) {
            SSTableProperties properties = file.properties().get();
            sequences(reference, properties, facts);
            if (!new TreeSet<>(properties.getFamilyIds()).containsAll(reference.getFamilies())) {
                facts.add("the file has families " + properties.getFamilyIds() + ", by METADATA "
                        + reference.getFamilies());
            }
            // Open writes that are lost lie in a row of no tablet.
            if (!FamilySchema.areOfServers(reference.getFamilies())
                    && !isWithin(tablet.row().range(), reference, properties)) {
                facts.add("the file shows rows of another tablet: its keys go from "
                        + AvroBytes.bytes(properties.getSmallestKey()) + " to "
                        + AvroBytes.bytes(properties.getLargestKey()) + ", its clip is "
                        + new Place("", Optional.of(clip(reference)), ""));
            }
        }
        return facts;
    }

    private static void sequences(FileReference reference, SSTableProperties properties, List<String> facts) {
        boolean overridden = reference.getSequenceOverride() != null;
        if (!overridden
                && (reference.getSmallestSequence() != properties.getSmallestSequence()
                        || reference.getLargestSequence() != properties.getLargestSequence())) {
            facts.add("the file has the sequences " + properties.getSmallestSequence() + " to "
                    + properties.getLargestSequence() + ", by METADATA " + reference.getSmallestSequence() + " to "
                    + reference.getLargestSequence());
        }
    }

    /** What its clip shows of it. */
    private static boolean isWithin(RowRange rows, FileReference reference, SSTableProperties properties) {
        RowRange clip = clip(reference);
        if (properties.getEntries() == 0 || clip.intersect(rows).equals(clip)) {
            return true;
        }
        Bytes smallest = max(AvroBytes.bytes(properties.getSmallestKey()), prefix(clip.start()));
        boolean beginsWithin = smallest.compareTo(prefix(rows.start())) >= 0;
        if (rows.end().isEmpty()) {
            return beginsWithin;
        }
        Bytes end = prefix(rows.end().get());
        boolean endsWithin = AvroBytes.bytes(properties.getLargestKey()).compareTo(end) < 0
                || clip.end().filter(last -> prefix(last).compareTo(end) <= 0).isPresent();
        return beginsWithin && endsWithin;
    }

    private static RowRange clip(FileReference reference) {
        return new RowRange(
                AvroBytes.optionalBytes(reference.getClipStart()).orElse(Bytes.EMPTY),
                AvroBytes.optionalBytes(reference.getClipEnd()));
    }

    private static Bytes prefix(Bytes row) {
        return row.isEmpty() ? Bytes.EMPTY : CellKey.rowPrefix(row);
    }

    private static Bytes max(Bytes one, Bytes other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
