package bt.master;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.master.TabletEnds.Bounds;
import bt.record.SplitFile;
import bt.record.TabletEnd;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is to be split next of a table, from what was asked for and where its tablets end. Pure functions: before a tablet is
 * split in its middle the file says that it is the one, so that whoever goes on sees by its beginning whether it has been.
 */
final class SplitSteps {
    private SplitSteps() {}

    /** A tablet to be split behind the row; without one, in its middle. */
    record Step(Bounds tablet, Optional<Bytes> row) {}

    /** Without what has been done, by whomever. */
    static SplitFile settled(SplitFile file, TabletEnds ends) {
        List<ByteBuffer> rows = file.getRows().stream()
                .filter(row -> !ends.rows().contains(AvroBytes.bytes(row)))
                .toList();
        SplitFile left = SplitFile.newBuilder(file).setRows(rows).build();
        return isSplit(left, ends) ? passed(left) : left;
    }

    /** Whether the tablet under way does not begin any more where it began. */
    private static boolean isSplit(SplitFile file, TabletEnds ends) {
        TabletEnd underWay = file.getUnderWay();
        return underWay != null
                && !ends.behind(AvroBytes.optionalBytes(file.getPassed()))
                        .endRow()
                        .equals(AvroBytes.optionalBytes(underWay.getEndRow()));
    }

    /** With the tablet under way behind us. */
    private static SplitFile passed(SplitFile file) {
        TabletEnd underWay = file.getUnderWay();
        ByteBuffer end = underWay == null ? null : underWay.getEndRow();
        return SplitFile.newBuilder(file)
                .setEverywhere(end != null)
                .setPassed(end)
                .setUnderWay(null)
                .build();
    }

    /** What may be next, the first of it that can be; none when all is done. Rows come before middles. */
    static Stream<Step> next(SplitFile settled, TabletEnds ends) {
        Stream<Step> rows = settled.getRows().stream().map(AvroBytes::bytes).map(row -> behind(row, ends));
        return settled.getEverywhere() ? Stream.concat(rows, Stream.of(inTheMiddle(settled, ends))) : rows;
    }

    private static Step behind(Bytes row, TabletEnds ends) {
        return new Step(ends.holding(row), Optional.of(row));
    }

    private static Step inTheMiddle(SplitFile file, TabletEnds ends) {
        return new Step(ends.behind(AvroBytes.optionalBytes(file.getPassed())), Optional.empty());
    }

    static SplitFile begun(SplitFile file, Step step) {
        return step.row().isPresent()
                ? file
                : SplitFile.newBuilder(file)
                        .setUnderWay(
                                new TabletEnd(AvroBytes.buffer(step.tablet().endRow())))
                        .build();
    }

    /** The step is done, or can never be. */
    static SplitFile ended(SplitFile file, Step step) {
        if (step.row().isEmpty()) {
            return file.getUnderWay() == null ? file : passed(file);
        }
        return SplitFile.newBuilder(file)
                .setRows(without(step.row().get(), file))
                .build();
    }

    /** The step has failed, and others come before it is tried again. A tablet that is to be split in its middle keeps its turn. */
    static SplitFile failed(SplitFile file, Step step) {
        if (step.row().isEmpty()) {
            return file;
        }
        List<ByteBuffer> rows = without(step.row().get(), file);
        if (rows.size() < file.getRows().size()) {
            rows.add(AvroBytes.buffer(step.row().get()));
        }
        return SplitFile.newBuilder(file).setRows(rows).build();
    }

    private static List<ByteBuffer> without(Bytes row, SplitFile file) {
        List<ByteBuffer> rows = new ArrayList<>(file.getRows());
        rows.remove(AvroBytes.buffer(row));
        return rows;
    }
}
