package bt.coord;

/** Where things lie in the cluster's directory of the lock service. */
public final class Paths {
    /** The id that this directory and the file store's root must share. */
    public static final String INSTANCE = "instance";

    /** Where the file store is, as the master was told it last: the value of the key {@code root}. */
    public static final String FILES = "files";

    /** The file whose version is the master's epoch; its content is the master's address. */
    public static final String MASTER = "master";

    /** The active master's lock. */
    public static final String MASTER_LOCK = "master/lock";

    /** One file per tablet server that may serve. */
    public static final String SERVERS = "servers";

    /** The root tablet's METADATA row: location and state. */
    public static final String ROOT = "root";

    /** One file per table, named by its id in decimal; the directory's own version counts ids. */
    public static final String TABLES = "tables";

    /** One file per living process that was started under a name: see {@link #process}. */
    public static final String PROCESSES = "processes";

    /** One file per tablet server that is to be left without tablets, named by its id. */
    public static final String DRAINING = "draining";

    /** One file per table of which somebody has asked for a major compaction that is not done, named by its id. */
    public static final String COMPACTIONS = "compactions";

    /** The same of flushes. */
    public static final String FLUSHES = "flushes";

    /** One file per table whose tablets somebody has asked to split, while that is not done, named by its id. */
    public static final String SPLITS = "splits";

    /** The same of merges. */
    public static final String MERGES = "merges";

    /** The same of moves. */
    public static final String MOVES = "moves";

    /** One file per table that was created, emptied or brought back and is not served by then, named by its id. */
    public static final String CREATIONS = "creations";

    /** One file per sweep of garbage that somebody has asked for and that is not done: 0, or 1 of a dry one. */
    public static final String SWEEPS = "sweeps";

    /** What the master says of the cluster, once in a while: for those who list clusters. */
    public static final String SUMMARY = "summary";

    /** One file per table with quotas, named by its id: what it takes, and which user what of it. */
    public static final String USAGE = "usage";

    /** Who may create tables and administer the cluster; no file: everybody. */
    public static final String ACCESS = "access";

    private Paths() {}

    public static String server(String id) {
        return SERVERS + "/" + id;
    }

    public static String serverLock(String id) {
        return server(id) + "/lock";
    }

    /** Where a process of this name says what it is and how it is reached. Who gave the name deletes the file. */
    public static String process(String name) {
        return PROCESSES + "/" + name;
    }

    public static String draining(String id) {
        return DRAINING + "/" + id;
    }

    public static String usage(long tableId) {
        return USAGE + "/" + tableId;
    }

    public static String table(long tableId) {
        return TABLES + "/" + tableId;
    }
}
