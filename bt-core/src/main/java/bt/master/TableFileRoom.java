package bt.master;

import bt.base.RejectedException;
import bt.coord.SmallFile;
import bt.metadata.TableFile;
import bt.record.TableRecord;

/** How long the file of a table may be: judged before anything of the table is made, for the file comes last. */
final class TableFileRoom {
    /** For what comes to be when the table is dropped or truncated: nobody could drop one that fills its file. */
    private static final int LEFT_BYTES = 100;

    private static final int MOST_BYTES = SmallFile.MAX_BYTES - LEFT_BYTES;

    private TableFileRoom() {}

    /** REJECTED where what users say of the table is too much for one file of the lock service. */
    static void check(TableRecord table) throws RejectedException {
        int bytes = TableFile.encode(table).length();
        if (bytes > MOST_BYTES) {
            throw new RejectedException(
                    "table " + table.getName() + ": its description has " + bytes + " bytes, " + MOST_BYTES
                            + " at most",
                    "give it shorter names, fewer families or groups, or shorter lists of rights");
        }
    }
}
