package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Messages;
import bt.base.RejectedException;
import bt.client.Operations.Patience;
import bt.metadata.MetadataSchema;
import bt.record.TableWork;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Creating, altering and dropping tables, and a look at the cluster (section 3 of the paper). Any thread. Requests go to the master,
 * whoever it is at the time; reads and writes of tables never do.
 *
 * <p>It is told in parts, by subject: {@link TableAdmin} of whole tables, {@link TabletAdmin} of their tablets, {@link ClusterAdmin} of
 * the servers and the master; here is what is under way, which the paper has nothing of. REJECTED and UNAVAILABLE as they say.
 */
public final class Admin extends ClusterAdmin {
    /** The name of the table of tablets, of which some work is asked for as of any table. */
    public static final String METADATA = MetadataSchema.SCHEMA.name();

    Admin(Session session) {
        super(session);
    }

    /**
     * What takes long and is under way: drains, recoveries, the flushes, compactions, splits, merges, moves and sweeps of garbage
     * that somebody has begun, and tables that were created, truncated or undeleted and are not served yet.
     */
    public List<Operation> operations() throws BigtableException {
        return Session.uninterrupted("the master", Outcome.NOT_APPLIED, () -> new Operations(session, master).all());
    }

    /**
     * How far the operation of this id is; one that is not under way any more is done. REJECTED where it is not under way and its
     * id is none, or of a table that neither exists nor can come back.
     */
    public Operation operation(String id) throws BigtableException {
        Optional<Operation> listed =
                Session.uninterrupted(id, Outcome.NOT_APPLIED, () -> new Operations(session, master).listed(id));
        return listed.isPresent() ? listed.get() : over(id);
    }

    /**
     * Returns when the operation of this id is done, or is not under way any more; UNAVAILABLE when it is not after so long, with
     * what hinders it, if something does; REJECTED where it is not under way and its id is none, or of a table that neither
     * exists nor can come back. While no master answers it waits for one, until that time too.
     * Whoever waits and stops waiting changes nothing of it.
     *
     * @param progress is told how far it is, some times a second, on the caller's thread
     */
    public void awaitOperation(String id, long timeoutMillis, Consumer<Operation> progress) throws BigtableException {
        Operation never = Operation.over(id);
        Optional<Operation> listed =
                Session.uninterrupted(never.id(), Outcome.NOT_APPLIED, () -> new Operations(session, master)
                        .await(id, new Patience(timeoutMillis, timeoutMillis), progress));
        if (listed.isEmpty()) {
            Operation unused = over(id);
        }
    }

    /**
     * A flush, compaction, split, merge or move that somebody has begun is not to go on; what is at work on a tablet ends. Nothing happens
     * where it is not under way. REJECTED for a recovery and a sweep, which nothing ends but their end, and for a drain ({@link
     * #undrainServer}).
     *
     * @param id as {@link Operation#id}
     */
    public void cancelOperation(String id) throws BigtableException {
        int slash = id.indexOf('/');
        Optional<TableWork> work = Stream.of(TableWork.values())
                .filter(each -> each != TableWork.CREATION)
                .filter(each ->
                        slash > 0 && each.name().equals(id.substring(0, slash).toUpperCase(Locale.ROOT)))
                .findFirst();
        TableWork kind = work.orElseThrow(() -> new RejectedException(
                id + ": not of those that can be taken back",
                "take back flush/TABLE, compaction/TABLE, split/TABLE, merge/TABLE and move/TABLE; a drain ends"
                        + " when the server is undrained, a recovery and a sweep when they are done, a creation when the table is"
                        + " served or dropped"));
        cancel(schema(id.substring(slash + 1)), kind);
    }

    /** What is not listed may be over. What can never have been would be waited for by mistake, or taken for done. */
    private Operation over(String id) throws BigtableException {
        Operation over = Operation.over(id);
        if (over.kind().isOfTable() && !hasBeen(over.subject())) {
            throw new RejectedException(
                    "operation " + Messages.name(id) + ": no table of its name exists or can come back",
                    "list those that are under way");
        }
        return over;
    }

    private boolean hasBeen(String table) throws BigtableException {
        return table(table).isPresent()
                || droppedTables().stream()
                        .anyMatch(dropped -> dropped.schema().name().equals(table));
    }
}
