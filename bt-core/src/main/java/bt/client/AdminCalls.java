package bt.client;

import bt.base.BigtableException;
import bt.base.Messages;
import bt.base.RejectedException;
import bt.model.TableSchema;

/** What the parts of {@link Admin} have in common: the session, the master, and a table's schema by its name. Any thread. */
abstract sealed class AdminCalls permits TableAdmin {
    final Session session;
    final MasterCalls master;

    AdminCalls(Session session) {
        this.session = session;
        this.master = new MasterCalls(session);
    }

    final TableSchema schema(String name) throws BigtableException {
        return session.lookUp(subject(name), deadline -> session.schemas().find(name))
                .orElseThrow(() -> missing(name));
    }

    static RejectedException missing(String table) {
        return new RejectedException(subject(table) + " does not exist", "list the tables that do");
    }

    static String subject(String table) {
        return "table " + Messages.name(table);
    }
}
