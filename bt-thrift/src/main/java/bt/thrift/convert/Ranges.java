package bt.thrift.convert;

import static bt.thrift.convert.Given.present;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.TabletInfo;
import bt.model.RowRange;
import bt.thrift.gen.ScanRows;
import bt.thrift.gen.Tablet;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Ranges of rows. */
public final class Ranges {
    /** What a tablet needs beside its rows and its server, in the wider of the two protocols. */
    private static final long TABLET_OVERHEAD = 48;

    private Ranges() {}

    static RowRange of(ScanRows rows) throws RejectedException {
        return switch (present(rows.getSetField(), "which rows one of scan.rows is")) {
            case ROW -> RowRange.row(Rows.key(rows.bufferForRow()));
            case PREFIX -> RowRange.prefix(Binaries.of(rows.bufferForPrefix()));
            case RANGE -> range(rows.getRange());
        };
    }

    /** All rows where it is absent. */
    public static RowRange of(bt.thrift.gen.@Nullable RowRange given) {
        return given == null ? RowRange.ALL : range(given);
    }

    public static Tablet of(TabletInfo tablet) {
        Tablet described = new Tablet().setRows(of(tablet.range())).setBytes(tablet.bytes());
        tablet.server().ifPresent(described::setServer);
        return described;
    }

    /** At least as many bytes as the tablet takes in an answer, whatever the protocol. */
    public static long bytes(TabletInfo tablet) {
        return TABLET_OVERHEAD
                + tablet.range().start().length()
                + tablet.range().end().map(Bytes::length).orElse(0)
                // An address is ASCII.
                + tablet.server().map(String::length).orElse(0);
    }

    /** One that ends before it starts holds no row, as one of the data model. */
    private static RowRange range(bt.thrift.gen.RowRange range) {
        return new RowRange(
                range.isSetStart() ? Binaries.of(range.bufferForStart()) : Bytes.EMPTY,
                range.isSetEnd() ? Optional.of(Binaries.of(range.bufferForEnd())) : Optional.empty());
    }

    private static bt.thrift.gen.RowRange of(RowRange range) {
        bt.thrift.gen.RowRange described = new bt.thrift.gen.RowRange();
        if (!range.start().isEmpty()) {
            described.setStart(Binaries.of(range.start()));
        }
        range.end().ifPresent(end -> described.setEnd(Binaries.of(end)));
        return described;
    }
}
