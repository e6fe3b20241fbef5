package bt.mapreduce.input;

import bt.base.BigtableException;
import bt.client.Scan;
import bt.client.Table;
import bt.model.Cell;
import org.apache.hadoop.mapreduce.TaskAttemptContext;

/** The cells of one split, one after the other. Of the wrappers for MapReduce of section 3 of the paper. */
public final class CellRecordReader extends SplitReader<Cell> {
    CellRecordReader() {}

    @Override
    Records<Cell> open(Table table, Scan scan, TaskAttemptContext task) throws BigtableException {
        return new CellRecords(table.cells(scan), task::getCounter);
    }
}
