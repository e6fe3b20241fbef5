package bt.master;

import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;
import bt.master.TableChanges.Beginning;
import bt.master.TableChanges.Begun;
import bt.record.AlterTable;
import bt.record.CreateTable;
import bt.record.Done;
import bt.record.DropTable;
import bt.record.TableUndeleted;
import bt.record.TruncateTable;
import bt.record.UndeleteTable;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/** Which messages have tables changed, and how. */
final class TableCommands {
    private TableCommands() {}

    /** Empty when the message is for somebody else. */
    static Optional<Beginning> change(SpecificRecord message, Reign reign) {
        TableOperations operations = reign.operations();
        if (message instanceof TruncateTable truncate) {
            return Optional.of(() -> {
                checkServed(truncate.getName(), reign);
                if (!truncate.getAgain()) {
                    // Else it may be dropped already, and nobody's name until the rest is done.
                    TableOperations.checkServersHaveRoom(truncate.getName(), reign.sight());
                }
                return operations.truncate(truncate);
            });
        }
        if (message instanceof CreateTable create) {
            return Optional.of(() -> {
                checkServed(create.getTable().getName(), reign);
                return operations.create(create, reign.sight());
            });
        }
        if (message instanceof AlterTable alter) {
            return Optional.of(() -> Begun.withoutRows(() -> {
                operations.alter(alter.getTable(), reign.sight());
                return new Done();
            }));
        }
        if (message instanceof DropTable drop) {
            return Optional.of(() -> Begun.withoutRows(() -> {
                operations.drop(drop.getName(), drop.getTableId());
                return new Done();
            }));
        }
        if (message instanceof UndeleteTable undelete) {
            return Optional.of(() -> Begun.withoutRows(() -> {
                TableOperations.checkServersHaveRoom(undelete.getName(), reign.sight());
                return new TableUndeleted(operations.undelete(undelete.getName(), undelete.getTableId()));
            }));
        }
        return Optional.empty();
    }

    private static void checkServed(String table, Reign reign) throws UnavailableException {
        if (!reign.metadataIsServed()) {
            throw new UnavailableException("table " + table + ": METADATA is not served yet", Outcome.NOT_APPLIED);
        }
    }
}
