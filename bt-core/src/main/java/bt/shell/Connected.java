package bt.shell;

import bt.base.BigtableException;
import bt.client.Bigtable;
import bt.client.Table;
import bt.command.Invocation;
import bt.connect.Connect;

/** The cluster that a command talks to. */
final class Connected {
    private Connected() {}

    /** Opened by the first command that asks and closed with the session: nobody closes it here. */
    static Bigtable to(Invocation invocation) throws BigtableException {
        String address = invocation.setting("at");
        return invocation.kept().get(Bigtable.class, address, () -> Connect.to(address));
    }

    /** A table to write to: what fails before anybody has it has written nothing. */
    static Table toWrite(Invocation invocation, String table) throws BigtableException {
        try {
            return to(invocation).table(table);
        } catch (BigtableException failed) {
            throw failed.notApplied();
        }
    }
}
