package bt.shell.transfer;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.model.Cell;
import bt.model.ColumnKey;
import bt.model.Timestamps;
import bt.record.ExportedCell;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.file.DataFileStream;
import org.apache.avro.specific.SpecificDatumReader;

/** Reads cells from an Avro container file of any codec, whose schema resolves to {@link ExportedCell}. */
final class AvroCellReader implements CellReader {
    private final DataFileStream<ExportedCell> in;
    private long record;

    AvroCellReader(InputStream stream) throws MalformedCellException {
        AvroBytes.trustRecords();
        try {
            in = new DataFileStream<>(stream, new SpecificDatumReader<>(ExportedCell.class));
        } catch (IOException | AvroRuntimeException foreign) {
            throw new MalformedCellException("no Avro container file of cells: " + foreign.getMessage());
        }
    }

    @Override
    public Optional<List<Cell>> next() throws IOException, MalformedCellException {
        record++;
        try {
            if (!in.hasNext()) {
                checkWhole();
                return Optional.empty();
            }
            ExportedCell cell = in.next();
            ColumnKey column = new ColumnKey(cell.getFamily(), bytes(cell.getQualifier()));
            long timestamp = Timestamps.given(cell.getTimestamp());
            return Optional.of(List.of(new Cell(bytes(cell.getRow()), column, timestamp, bytes(cell.getValue()))));
        } catch (AvroRuntimeException damaged) {
            // Nothing says where the next record begins.
            throw new IOException("the file is damaged or of another schema: " + damaged.getMessage(), damaged);
        } catch (IllegalArgumentException wrong) {
            throw new MalformedCellException(String.valueOf(wrong.getMessage()));
        }
    }

    /** Of a block that is cut off Avro says that nothing comes, as behind the last; asked once more, that the block has records. */
    private void checkWhole() throws IOException {
        if (in.hasNext()) {
            throw new EOFException("the file ends within a block of records");
        }
    }

    @Override
    public String place() {
        return "record " + record;
    }

    @Override
    public Bytes bytes() {
        return Bytes.EMPTY;
    }

    @Override
    public String header() {
        return "";
    }

    @Override
    public void close() throws IOException {
        in.close();
    }

    private static Bytes bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
        return Bytes.wrap(bytes);
    }
}
