package bt.shell.transfer;

import bt.base.AvroBytes;
import bt.model.Cell;
import bt.record.ExportedCell;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.avro.file.CodecFactory;
import org.apache.avro.file.DataFileWriter;
import org.apache.avro.specific.SpecificDatumWriter;

/** Writes cells as an Avro container file of records {@link ExportedCell}, deflated. See docs/formats/export.md. */
final class AvroCellWriter implements CellWriter {
    private final DataFileWriter<ExportedCell> out;

    AvroCellWriter(OutputStream stream) throws IOException {
        AvroBytes.trustRecords();
        out = new DataFileWriter<>(new SpecificDatumWriter<>(ExportedCell.class));
        out.setCodec(CodecFactory.deflateCodec(CodecFactory.DEFAULT_DEFLATE_LEVEL));
        out.create(ExportedCell.getClassSchema(), stream);
    }

    @Override
    public void write(Cell cell) throws IOException {
        out.append(new ExportedCell(
                cell.row().toBuffer(),
                cell.column().family(),
                cell.column().qualifier().toBuffer(),
                cell.timestamp(),
                cell.value().toBuffer()));
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
