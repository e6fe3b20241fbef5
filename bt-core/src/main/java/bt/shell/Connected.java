package bt.shell;

import bt.base.BigtableException;
import bt.client.Bigtable;
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
}
