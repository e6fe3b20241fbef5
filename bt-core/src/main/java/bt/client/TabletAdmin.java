package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.metadata.MetadataSchema;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.record.TableWork;
import java.util.List;
import java.util.Optional;

/**
 * What {@link Admin} does with the tablets of a table, beside what servers and master do by themselves: compactions (section 5.4 of
 * the paper), splits, merges and moves (section 5.2), and what happened to them. Any thread. Every call is REJECTED where there is no
 * such table or the user has not the right to it, and UNAVAILABLE while a server or master that it needs does not answer, for a minute.
 */
public abstract sealed class TabletAdmin extends TableAdmin permits ClusterAdmin {
    TabletAdmin(Session session) {
        super(session);
    }

    /**
     * Has every tablet of a table write what it holds in memory to files: a minor compaction (section 5.4). Returns when it is
     * done, or the table is dropped. Where that takes longer than a request may, a tablet is not served, or a server has no room
     * for it, it becomes an operation ({@link #startFlush}), and is waited for; UNAVAILABLE when that goes on after a day, or
     * something has hindered it for a minute in which no tablet was done: the message says what, and by which id it is found.
     */
    public void flush(String name) throws BigtableException {
        TableSchema table = schema(name);
        Session.uninterrupted("table " + name, Outcome.UNKNOWN, () -> {
            try {
                new TabletCalls(session).flush(table);
                return true;
            } catch (UnavailableException | OverloadedException late) {
                Operations operations = new Operations(session, master);
                return operations.awaitBegun(operations
                        .begin(table, TableWork.FLUSH, Bytes.EMPTY, Optional.empty())
                        .id());
            }
        });
    }

    /**
     * Begins what {@link #flush} does, and does not wait for it: what was written when this was called is in files when it is
     * done. Whoever begins it again while it is under way begins it anew, and who waited for the first waits for that.
     */
    public Operation startFlush(String name) throws BigtableException {
        return start(schema(name), TableWork.FLUSH, Bytes.EMPTY, Optional.empty());
    }

    /**
     * Has all that a table holds go through a major compaction (section 5.4): what is deleted, too old or beyond the limit of
     * versions goes from its files. {@link #startCompaction} tells what stays. Returns when it is done, or somebody has taken
     * it back ({@link #cancelCompaction}), or the table is dropped; UNAVAILABLE when it goes on as {@link #flush} may.
     */
    public void compactTable(String name) throws BigtableException {
        String id = startCompaction(name, RowRange.ALL).id();
        Session.uninterrupted(id, Outcome.UNKNOWN, () -> new Operations(session, master).awaitBegun(id));
    }

    /**
     * Begins a major compaction of the tablets of a table that hold rows of the range, and does not wait for it: what is in memory is
     * written to files, then these are rewritten by all servers at the pace of their other compactions, with their share of
     * bytes a second. What was written when this was called is judged; what the newest writes of a tablet have deleted stays in
     * the first five minutes after that tablet was loaded, and ages are judged ten minutes late, for the sake of readers
     * in the middle of a row.
     *
     * <p>A table has one such operation. Whoever begins it again while it is under way begins it anew, for the rows of both,
     * and who waited for the first waits for that. It is under way no more when it is done, or somebody has taken it back
     * ({@link #cancelCompaction}), or the table is dropped: whoever waits for it is not told which. A tablet that has a
     * damaged file is tried ever more seldom, every ten minutes at last, until it can be read or somebody takes it back.
     *
     * <p>REJECTED where no row can lie in the range, or it begins or ends with more bytes than a row may have and one.
     *
     * @param rows none of the tablets that hold none of these is compacted
     */
    public Operation startCompaction(String name, RowRange rows) throws BigtableException {
        return start(schema(name), TableWork.COMPACTION, rows.start(), rows.end());
    }

    /** The compaction of a table that somebody has asked for begins in no more tablets. Nothing happens where there is none. */
    public void cancelCompaction(String name) throws BigtableException {
        cancel(schema(name), TableWork.COMPACTION);
    }

    /**
     * Splits the tablet that holds the row, which need not exist, so that it ends with it; nothing where one does already.
     * The row stays the end of a tablet until somebody asks for a merge. Returns when both halves are served. REJECTED where
     * the row is empty or too long, and where it is one of METADATA and no row of a tablet that there is.
     */
    public void splitTablet(String name, Bytes row) throws BigtableException {
        TableSchema table = anySchema(name);
        Session.uninterrupted("table " + name, Outcome.UNKNOWN, () -> new TabletSplits(session, table).at(row));
    }

    /**
     * Splits every tablet in the middle of its bytes. REJECTED where none can be: their bytes are of one row each, or too
     * few.
     *
     * @return the rows behind which tablets were split
     */
    public List<Bytes> splitTablets(String name) throws BigtableException {
        TableSchema table = anySchema(name);
        return Session.uninterrupted(
                "table " + name, Outcome.UNKNOWN, () -> new TabletSplits(session, table).everywhere());
    }

    /**
     * Begins what {@link #splitTablet} does, and does not wait for it; rows of which it is begun are split behind one after the
     * other. One whose tablet is not served waits for it, and others do not. OVERLOADED when so many wait that they would not fit into a small file. REJECTED for METADATA.
     */
    public Operation startSplit(String name, Bytes row) throws BigtableException {
        if (row.isEmpty()) {
            throw new RejectedException("table " + name + ": no tablet ends with the empty row", "name another");
        }
        return start(userSchema(name), TableWork.SPLIT, row, Optional.empty());
    }

    /**
     * Begins what {@link #splitTablets} does, and does not wait for it: one tablet after the other is split in its middle, those
     * that were there when it was begun, each at most once; one that cannot be is left as it is. To begin it while it is under way
     * changes nothing. Where an answer of the master is lost it is begun once more, perhaps when it is done: then each half is split too.
     * REJECTED for METADATA.
     */
    public Operation startSplit(String name) throws BigtableException {
        return start(userSchema(name), TableWork.SPLIT, Bytes.EMPTY, Optional.empty());
    }

    /**
     * Makes one tablet of all that hold rows from one to another, both included. For that they leave their servers, for five
     * seconds at most at a time. Returns when the one is served. Where that takes longer than a request may, or the master has no
     * room for it, it becomes an operation ({@link #startMerge}), and is waited for as {@link #flush} does. REJECTED for METADATA,
     * where the tablets are too large to be one, and where a row is empty or too long, or the first comes after the last.
     */
    public void mergeTablets(String name, Bytes from, Bytes to) throws BigtableException {
        TableSchema table = mergeable(name);
        Session.uninterrupted("table " + name, Outcome.UNKNOWN, () -> {
            TabletMerge merge = new TabletMerge(session, master, table, from, to);
            try {
                return merge.run();
            } catch (UnavailableException | OverloadedException late) {
                return Doubt.behind(late, () -> merge.await(new Operations(session, master)));
            }
        });
    }

    /**
     * Begins what {@link #mergeTablets} does, and does not wait for it. Where the tablets cannot be merged, because one of them
     * is being recovered for instance, they are served meanwhile, and it is tried again, every ten minutes at last. Where they are too large to be
     * one it ends, and that is told for a minute ({@link Operation#refusals}). OVERLOADED when so many
     * merges wait that they would not fit into a small file. REJECTED for METADATA, and where a row is empty or too long, or the first
     * comes after the last.
     */
    public Operation startMerge(String name, Bytes from, Bytes to) throws BigtableException {
        return start(mergeable(name), TableWork.MERGE, from, Optional.of(to));
    }

    /**
     * Moves the tablet that holds a row to another server; returns when it is served there. Until it leaves it is served
     * where it is, then by nobody for a moment, and nothing is replayed. Where that takes longer than a request may, or the master
     * has no room for it, it becomes an operation ({@link #startMove}), and is waited for as {@link #flush} does; METADATA is a
     * table like others here, but for that: UNAVAILABLE then. REJECTED where the row is empty or too long.
     *
     * @param server a living server's id, or its address as host:port
     */
    public void moveTablet(String name, Bytes row, String server) throws BigtableException {
        TableSchema table = name.equals(MetadataSchema.SCHEMA.name()) ? MetadataSchema.SCHEMA : schema(name);
        Session.uninterrupted("table " + name, Outcome.UNKNOWN, () -> {
            try {
                master.move(table, row, server);
            } catch (UnavailableException | OverloadedException late) {
                if (name.equals(MetadataSchema.SCHEMA.name())) {
                    throw late;
                }
                return Doubt.behind(late, () -> {
                    new AwaitedMove(session, table, row, server).run(new Operations(session, master));
                    return true;
                });
            }
            return true;
        });
    }

    /**
     * Begins what {@link #moveTablet} does, and does not wait for it: whichever tablet holds the row when it can be moved goes to
     * the server, and one that cannot be now, because it is being split for instance, is tried again, every ten minutes at
     * last. Where the server dies, or is drained, the move ends and is told for a minute ({@link Operation#refusals}). A
     * table has one such operation, of all its tablets that are to move; of a row the server that was named last counts.
     * OVERLOADED when so many wait that they would not fit into a small file. REJECTED for METADATA.
     *
     * @param server a living server's id, or its address as host:port
     */
    public Operation startMove(String name, Bytes row, String server) throws BigtableException {
        if (name.equals(MetadataSchema.SCHEMA.name())) {
            throw new RejectedException("METADATA's tablets are moved without an operation", "ask for the move itself");
        }
        TableSchema table = schema(name);
        return Session.uninterrupted(
                "table " + name, Outcome.UNKNOWN, () -> new Operations(session, master).move(table, row, server));
    }

    /**
     * What happened to the tablet that holds the row now, the oldest first. METADATA keeps the last hundred events of each
     * tablet, and as many compactions; of the root tablet twenty of each are kept. REJECTED where the row is empty or too long.
     */
    public List<TabletEvent> history(String name, Bytes row) throws BigtableException {
        return new TabletHistory(session, anySchema(name)).of(row);
    }

    /** What happened to all tablets of a table, one tablet after the other; of those too that are gone. To be closed. */
    public TabletEvents history(String name) throws BigtableException {
        return new TabletHistory(session, anySchema(name)).all();
    }

    private TableSchema mergeable(String name) throws BigtableException {
        if (name.equals(MetadataSchema.SCHEMA.name())) {
            throw new RejectedException(
                    "METADATA's tablets are not merged by wish",
                    "leave it to the master, which merges them where they are small");
        }
        return schema(name);
    }

    private TableSchema userSchema(String name) throws BigtableException {
        if (name.equals(MetadataSchema.SCHEMA.name())) {
            throw new RejectedException(
                    "METADATA's tablets are split without an operation", "ask for the split itself");
        }
        return schema(name);
    }

    private Operation start(TableSchema table, TableWork work, Bytes from, Optional<Bytes> to)
            throws BigtableException {
        return Session.uninterrupted("table " + table.name(), Outcome.UNKNOWN, () -> new Operations(session, master)
                .begin(table, work, from, to));
    }

    final void cancel(TableSchema table, TableWork work) throws BigtableException {
        Session.uninterrupted(
                "table " + table.name(), Outcome.UNKNOWN, () -> new Operations(session, master).cancel(table, work));
    }
}
