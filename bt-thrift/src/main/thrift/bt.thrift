/*
 * bt for every language that Thrift speaks: the calls of the gateway, `bt thrift`. docs/thrift.md shows a first program.
 *
 * Transport: framed. Protocol: compact, or binary where the gateway was started with --protocol binary.
 * A frame of either direction is at most 16,384,000 bytes, the default of Thrift's own libraries. A call of more is REJECTED, as
 * long as it has 104,857,600 at most, the longest message of these libraries; beyond that its connection is closed.
 *
 * Rows, qualifiers and values are bytes of any kind; the empty string is a qualifier and a value, but not a row. Rows are
 * ordered bytewise, the bytes unsigned. Names of tables and families are letters, digits, "-", "_" and ".".
 * Timestamps are microseconds since 1970.
 *
 * The gateway keeps nothing between two calls: any gateway of a cluster answers any call, and a client may go on with
 * another one in the middle of a scan.
 */
namespace * bt
namespace java bt.thrift.gen

/** What can go wrong. The numbers never change. */
enum ErrorKind {
  /** Stored bytes are not what was written: tell the cluster's operator. */
  CORRUPTION = 1,
  /** The cluster, or the part of it that holds the row, does not answer now. The gateway itself has retried for a minute. */
  UNAVAILABLE = 2,
  /** Too much at once: come back after retryAfterMillis. */
  OVERLOADED = 3,
  /** The caller's mistake: an unknown table or family, a key too long. A retry fails the same way. */
  REJECTED = 4,
  /** A server lost its right to serve while it answered. */
  FENCED = 5
}

/** What became of a change that failed. Of a read it says nothing. */
enum Outcome {
  NOT_APPLIED = 1,
  /** It may have happened, or may yet happen. */
  UNKNOWN = 2
}

/**
 * The one exception of every call. Decide by kind, never by the text of the message.
 *
 * A TApplicationException instead of it is a bug of client or gateway; after it, and when the connection breaks, the
 * outcome of a change is unknown.
 */
exception BigtableError {
  1: ErrorKind kind,
  2: Outcome outcome,
  /** With OVERLOADED: when to come back. Otherwise 0. */
  3: i64 retryAfterMillis,
  /** One line: what was wrong, with numbers, and what to do. */
  4: string message
}

/** A column: family and qualifier. */
struct Column {
  1: string family,
  2: binary qualifier
}

/** One version of one column. */
struct Cell {
  1: Column column,
  2: i64 timestamp,
  3: binary value,
  /** What a label(...) of a filter gave it on the way out; absent mostly. None is stored. */
  4: optional string label
}

/** A row: its cells by family, in the order in which the table got its families, by qualifier, then newest first. */
struct Row {
  1: binary key,
  2: list<Cell> cells
}

/** Which versions of a column are garbage. Set exactly one. */
union GcRule {
  /** All but the newest so many. */
  1: i32 maxVersions,
  /** Those whose timestamp is longer ago than this, in microseconds. */
  2: i64 maxAgeMicros,
  /** Those that at least one of these rules calls garbage; of no rules, none. */
  3: list<GcRule> any,
  /** Those that all of these rules call garbage, of which there is one at least. */
  4: list<GcRule> every
}

/** Who gives the cells of a family their timestamps. */
enum Timestamps {
  /** Whoever writes: a cell without one gets the server's. */
  EITHER = 1,
  /** The servers alone: a cell with one is REJECTED. */
  SERVER = 2,
  /** The clients alone, whatever their numbers mean: a cell without one is REJECTED, and so are increments and appends. */
  CLIENT = 3
}

/** A column family. */
struct Family {
  1: string name,
  /** Absent: every version is kept. */
  2: optional GcRule garbage,
  /** Absent: EITHER. */
  3: optional Timestamps timestamps,
  /**
   * Promises that what is deleted or garbage is off the disk within so many microseconds, 30 minutes at least. Absent: it
   * goes sooner or later.
   */
  4: optional i64 purgeMicros,
  /**
   * The locality group in which it is stored. Absent: of a family that is listed, created or added, "default"; of one that is
   * changed, the one in which it is.
   */
  5: optional string localityGroup
}

/** Which Bloom filters the files of a locality group have: they spare reads of what is not there. */
struct Bloom {
  /** 32 at most; 0 is no filter. Absent: 10. */
  1: optional i32 bitsPerKey,
  /** By row and column as well as by row. Absent: by row alone. */
  2: optional bool byColumn
}

/** Families that are stored together, apart from the others. What is absent is as in the group "default" of a new table. */
struct LocalityGroup {
  1: string name,
  /** Of the blocks of its files, 1,024 to 4,194,304. Absent: 65,536. */
  2: optional i32 blockBytes,
  /** "none", "lz4", "zstd", "zstd-dict" or "two-pass". Absent: "lz4". */
  3: optional string codec,
  /** Its files are held in memory too. Absent: they are not. */
  4: optional bool inMemory,
  5: optional Bloom bloom
}

/** How much a table, and each user in it, may take of disks and memory; what is absent is not bounded. */
struct Quotas {
  1: optional i64 tableBytes,
  /** Of each user without a quota of its own. */
  2: optional i64 eachUserBytes,
  /** By user; of 1,000 users at most. */
  3: optional map<string, i64> userBytes
}

/** What an acknowledged change has survived. */
enum Durability {
  /** It is on the disks of all replicas: it survives a power cut. */
  SYNC = 1,
  /** It is in the memory of all replicas: it survives the death of any process. */
  FLUSH = 2
}

/** A table. */
struct Table {
  1: string name,
  2: list<Family> families,
  /** Absent: SYNC. */
  3: optional Durability durability,
  /** "default" is one of them, whether named here or not. A table that is listed has all of them, with all that can be absent. */
  4: optional list<LocalityGroup> groups,
  /** Absent: nothing is bounded. */
  5: optional Quotas quotas
}

/** What is to become of a table's schema, all of it at once. What is not named here stays. */
struct TableChange {
  /** Families that the table has not. */
  1: optional list<Family> addFamilies,
  /** Families that it has, each as it is to be: what is absent there is as in a new family, but for the locality group. */
  2: optional list<Family> changeFamilies,
  /** Their cells are no longer shown, and do not come back. */
  3: optional list<string> dropFamilies,
  4: optional Durability durability,
  /**
   * Locality groups that are added, or, where the table has one of that name, are to be so: what is absent there is as in a
   * new one. For files that are written from then on.
   */
  5: optional list<LocalityGroup> groups,
  /** Locality groups in which no family is left. */
  6: optional list<string> dropGroups,
  /** All the quotas that there are to be: one that is absent here is taken away. */
  7: optional Quotas quotas
}

/** What a user may be allowed to do. */
enum Right {
  /** To see cells. */
  READ = 1,
  /** To write and delete cells. */
  WRITE = 2,
  /** To have scripts run over what it may read. */
  SCRIPT = 3,
  /** To change a table or a family and to give rights; of the cluster: all that of every table, and of its servers. */
  ADMIN = 4,
  /** To create tables. Given for the cluster alone. */
  CREATE = 5
}

/** Rights of one user: for the cluster (ADMIN, CREATE), for a table, or for a family of it (all but CREATE). */
struct Grant {
  /** "*" is every user. */
  1: string user,
  2: list<Right> rights,
  /** Absent: for the cluster. */
  3: optional string table,
  /** Absent: for the table, and so for every family of it. */
  4: optional string family
}

/** The lists of rights of a table, or of the cluster. */
struct RightsList {
  /** There is no list: of the cluster, everybody may do everything; of a table, everybody reads and writes it. */
  1: bool open,
  /** By families, of each by users; those for the whole table, or the cluster, first. */
  2: list<Grant> grants
}

/** Timestamps from oldest, included, to newest, excluded; a newest of 9223372036854775807 is no end. */
struct TimeRange {
  1: i64 oldest,
  2: i64 newest
}

/** A script that keeps or drops cells, run in the tablet servers. */
struct Script {
  /** The language: "groovy". */
  1: string engine,
  2: string source,
  /** Handed to the script. */
  3: optional binary argument
}

/**
 * What a read wants of its rows. What is absent lets everything pass; what is there is applied in this order, each part
 * to what the one before let pass: asOf, families, columns, times, text, versions, script, cellsPerRow. A row of which
 * nothing is left is not returned.
 */
struct Filter {
  1: optional list<string> families,
  2: optional list<Column> columns,
  3: optional TimeRange times,
  /** The newest so many versions of each column; absent is 1 with asOf, and all without. */
  4: optional i32 versions,
  5: optional Script script,
  /** A filter as text, as in "family=anchor & latest(1)": docs/guide/filters.md has the grammar. */
  6: optional string text,
  /**
   * As of a time: only versions up to this timestamp, included, and of each column the newest of these, or as many as
   * versions says; the version that was there then, if timestamps are times. What was deleted since, or has become garbage, is not there.
   */
  7: optional i64 asOf,
  /** The first so many cells of each row. */
  8: optional i32 cellsPerRow
}

/** Rows from start, included, to end, excluded; absent is the first row there is, and the last. */
struct RowRange {
  1: optional binary start,
  2: optional binary end
}

/** Some of a scan's rows. Set exactly one. */
union ScanRows {
  /** This one alone. */
  1: binary row,
  /** All that begin with this. */
  2: binary prefix,
  3: RowRange range
}

/**
 * How much a scan reads in all, over all its pages; what is absent is not limited. It ends with the row that reaches one
 * of these, so a row is whole or not there; a scan of cells ends with the cell that does.
 */
struct ReadLimits {
  1: optional i64 rows,
  2: optional i64 cells,
  /** Of row keys, qualifiers and values: each cell counts with its row key. */
  3: optional i64 bytes
}

/** Which rows a scan reads, and what of them. */
struct Scan {
  /** Included. Absent: from the first row. */
  1: optional binary startRow,
  /** Excluded. Absent: to the last row. */
  2: optional binary endRow,
  3: optional Filter filter,
  /** At most so many rows in a page: 1,000 when absent, 10,000 at most. */
  4: optional i32 pageRows,
  /** A page ends with the row that reaches so many bytes: 1 MiB when absent, 4 MiB at most. */
  5: optional i32 pageBytes,
  /**
   * Only these, each once however often it is named, in the order of their keys: single rows and ranges, 100,000 at most,
   * and of them what lies between startRow and endRow. Absent: all; without an element: none.
   */
  6: optional list<ScanRows> rows,
  /** From the last row to the first; the cells of each row in their order. */
  7: optional bool reversed,
  8: optional ReadLimits limits
}

/** A part of a scan. */
struct Page {
  /** In order; may be empty even though there are more. */
  1: list<Row> rows,
  /** Give it to the next call of the same kind. Absent: this was the last page. */
  2: optional binary resumeToken,
  /**
   * True: the first row goes on, and not as it was when it began, for that is gone; these are its cells as they are now
   * that follow the last one before. Absent otherwise.
   */
  3: optional bool rowGoesOnAsOfNow
}

/** Writes one cell. */
struct SetCell {
  1: Column column,
  /** Absent: the server's clock, which is what most want. */
  2: optional i64 timestamp,
  3: binary value
}

/** Deletes every cell of the row. */
struct DeleteRow {
}

/** Deletes the versions of a column from oldest to newest, both included. */
struct DeleteVersions {
  1: Column column,
  2: i64 oldest,
  3: i64 newest
}

/** Deletes one version of a column. */
struct DeleteVersion {
  1: Column column,
  2: i64 timestamp
}

/**
 * Adds to a counter, the column's newest value, which is 8 bytes, the highest first; 0 where there is none. REJECTED where
 * it is something else, or the sum has more than 64 bits.
 */
struct Increment {
  1: Column column,
  2: i64 amount
}

/** Writes the column's newest value, or nothing, with these bytes behind it. */
struct Append {
  1: Column column,
  2: binary value
}

/** One edit inside a mutation. A deletion hides what was written before it, never what is written after. Set exactly one. */
union Change {
  1: SetCell setCell,
  2: DeleteRow deleteRow,
  /** Deletes every cell of the row's family of this name. */
  3: string deleteFamily,
  /** Deletes every cell of the column. */
  4: Column deleteColumn,
  5: DeleteVersions deleteVersions,
  6: DeleteVersion deleteVersion,
  /** This and append depend on what the row holds before: no other change of the mutation may touch their columns. */
  7: Increment increment,
  8: Append append
}

/** Edits to one row, applied all or not at all. */
struct RowMutation {
  1: binary row,
  /** At least one, 100,000 at most. */
  2: list<Change> changes
}

/**
 * One of two mutations of a row, chosen by what the row holds: the first when the predicate lets a cell of it pass, the
 * second when it lets none. Absent or without an element: nothing is changed then; not both.
 */
struct ConditionalMutation {
  1: binary row,
  /** Absent: lets every cell pass. */
  2: optional Filter predicate,
  3: optional list<Change> passes,
  4: optional list<Change> otherwise
}

/** What became of one of several mutations. */
struct MutationResult {
  /** What mutate returns; absent when it failed. */
  1: optional i64 result,
  /** Why it failed, in 1,000 characters at most, and whether it may be applied; absent when it is. */
  2: optional BigtableError error
}

/** What an increment or an append of a mutation has made of its column. */
struct Modified {
  1: Column column,
  /**
   * All of the newest value; of a counter 8 bytes, the highest first. Absent where it does not fit a frame with the others
   * before it: readRow and scanCells read it.
   */
  2: optional binary value,
  /** Of an increment: the same as a number. */
  3: optional i64 sum
}

/** A part of a table, which one server serves. */
struct Tablet {
  1: RowRange rows,
  /** Who serves it, host:port; absent for the moment that nobody does. */
  2: optional string server,
  /** Of its files, compressed. */
  3: i64 bytes
}

/** What an operation does. */
enum OperationKind {
  /** All tablets of a server move to others. */
  DRAIN = 1,
  /** The tablets of a dead server are loaded by others. */
  RECOVERY = 2,
  /** All that is in the files of a table goes through a compaction: what is deleted or garbage leaves the disk. */
  COMPACTION = 3,
  /** What a table's tablets hold in memory is written to files. */
  FLUSH = 4,
  /** Tablets of a table are split. */
  SPLIT = 5,
  /** Of several tablets of a table one is made. */
  MERGE = 6,
  /** Tablets of a table go to other servers. */
  MOVE = 7,
  /** The tablets of a table that was created, truncated or brought back are not all served yet. */
  CREATION = 8,
  /** The cluster's files are swept for garbage, which is deleted, or only told. */
  SWEEP = 9
}

/** A split, a merge or a move, asked for in the last minute, that can never be done. */
struct Refusal {
  /** Behind which it was to be split, the first that were to be in one tablet, or whose tablet was to move. Absent: each tablet was to be split in its middle. */
  1: optional binary row,
  /** CORRUPTION or REJECTED. */
  2: ErrorKind kind,
  3: string why
}

/** Work of the cluster that takes long, and goes on whoever waits for it. */
struct Operation {
  /** What it works on: "flush/web" is the flush of the table web, whoever asks. */
  1: string id,
  2: OperationKind kind,
  /** The name of the table, or of the server that is drained or recovered; of a sweep "garbage", or "dry" if it deletes nothing. */
  3: string subject,
  /** With which it is not done; of a sweep, the tables that it has not looked at yet. */
  4: i64 tabletsLeft,
  /** True: it is over. Of splits, merges and moves some may have been refused, which are told of for a minute. */
  5: bool done,
  /** An estimate; absent where there is nothing to estimate from. */
  6: optional i64 millisLeft,
  /** What is in its way, absent while nothing is: it is tried again, every ten minutes at last, until it is taken back. */
  7: optional string hindrance,
  /** Those that do not fit a frame with the others before them are left out. */
  8: list<Refusal> refusals
}

/** A tablet server, as the master sees it. */
struct Server {
  /** Where its clients reach it, host:port, as in Tablet.server. */
  1: string address,
  /** Of its process: drains and recoveries have it in their ids. */
  2: string id,
  /** Whether it has answered the master's last question; else nothing more is known of it. */
  3: bool alive,
  /** How many it has, those that it is loading included. */
  4: i32 tablets,
  /** Whether its tablets are moved away, and it is given none. */
  5: bool draining
}

/** The tablet servers, and how the master sees them. */
struct Servers {
  /** Those that live; none where the master has not looked yet. */
  1: list<Server> servers,
  /** Tablets that are not served, or not where they are to be; 1 at least until the master has seen all. */
  2: i32 unassigned,
  /** What is wrong in the cluster, in a line each, of 1,000 characters at most; those that do not fit a frame are left out. */
  3: list<string> problems
}

/** A table that was dropped, or truncated, and may come back. */
struct DroppedTable {
  1: string name,
  /** Of several that bore the name each has another. */
  2: i64 id,
  /** When that was, in microseconds since 1970. */
  3: i64 dropped
}

/** A cluster of bt. */
service Gateway {
  /** The tables of the cluster. */
  list<Table> listTables() throws (1: BigtableError error),

  /**
   * Creates a table; returns when all of it is served. REJECTED when there is one of that name.
   *
   * splitRows: the table begins with one tablet more than there are rows here, each row the last of its tablet. Empty for
   * one tablet; tablets split by themselves as they grow. At most 10,000 rows, each of 1 to 65,536 bytes and named once.
   */
  void createTable(1: Table table, 2: list<binary> splitRows) throws (1: BigtableError error),

  /**
   * One row, as it was at one moment; without cells when there is no such row or nothing of it passes the filter. Sees
   * every mutation that was acknowledged before the call. REJECTED when what is left of the row does not fit a frame, or a
   * minute is too short to look through the row: scanCells reads it.
   */
  Row readRow(1: string table, 2: binary row, 3: Filter filter) throws (1: BigtableError error),

  /**
   * The next page of a scan: first with an empty token, then with the same scan and the token of the page before, until a
   * page has none. Each row is as it was at one moment, different rows at different ones. There is nothing to close.
   *
   * A page ends after some seconds too, between two rows and maybe without one: whoever stops there has not seen the rest.
   * REJECTED at a row that does not fit a frame, or that a minute is too short to look through: scanCells reads it.
   */
  Page scan(1: string table, 2: Scan scan, 3: binary resumeToken) throws (1: BigtableError error),

  /**
   * Applies a mutation. When it returns, the mutation has survived what the table's durability promises.
   *
   * Returns the timestamp that the server gave to the cells without one of their own; 0 if there was none. Of a mutation
   * that is one increment it returns the sum, of one append how many bytes the value has now.
   */
  i64 mutate(1: string table, 2: RowMutation mutation) throws (1: BigtableError error),

  /**
   * The next page of a scan by cells, for rows that are larger than a frame or than memory; called like scan, and its
   * tokens are its own. A row may go on in the next page, whose first row has the same key then; pageRows counts parts of
   * rows. A page ends after some seconds too, or before what cannot be read just now, with what there is of it. REJECTED
   * when one cell does not fit a frame.
   *
   * Each row is as it was at one moment, if it is read within ten minutes and servers can still tell what it was;
   * otherwise it goes on as it is by then, and the page says so.
   */
  Page scanCells(1: string table, 2: Scan scan, 3: binary resumeToken) throws (1: BigtableError error),

  /**
   * Applies one of two mutations of a row, as its predicate says of what the row holds then; nothing comes in between.
   *
   * Returns whether the predicate let something pass.
   */
  bool mutateIf(1: string table, 2: ConditionalMutation mutation) throws (1: BigtableError error),

  /**
   * Applies mutations, 10,000 at most, of any rows: each by itself, all or nothing of it, in any order, but those of one
   * row in theirs. Returns one result for each, in their order, after about a minute at the latest: what was not sent by
   * then has failed, NOT_APPLIED. Fails as a whole when none was applied or, of outcome UNKNOWN, when the gateway ends
   * meanwhile: then any of them may be.
   */
  list<MutationResult> mutateRows(1: string table, 2: list<RowMutation> mutations) throws (1: BigtableError error),

  /**
   * Drops a table: it is refused to everybody when this returns, and its name is free. startUndeletion brings it back
   * for some time.
   */
  void dropTable(1: string table) throws (1: BigtableError error),

  /**
   * The tablets of a table in the order of their rows, as they are now: for whoever shares out the rows of a scan. REJECTED
   * when there are so many that they do not fit a frame.
   */
  list<Tablet> tablets(1: string table) throws (1: BigtableError error),

  /**
   * Changes the schema of a table while it is served; when it returns every server of the table follows. REJECTED where the
   * schema cannot be so, as when a family is added that is there.
   */
  void alterTable(1: string table, 2: TableChange change) throws (1: BigtableError error),

  /**
   * Gives rights beside those that the user has. The first list is the cluster's, and names an administrator; a table's first
   * list makes the table one for those in its lists.
   */
  void grant(1: Grant rights) throws (1: BigtableError error),

  /** Takes rights away, of those that the user has there; what another list gives stays. REJECTED for the last administrator. */
  void revoke(1: Grant rights) throws (1: BigtableError error),

  /** Who has which rights; of the cluster where the name is empty. */
  RightsList listRights(1: string table) throws (1: BigtableError error),

  /**
   * Applies a mutation as mutate does, and returns what each of its increments and appends has made of its column, in their
   * order; other changes may stand beside them. It is read first what they change, and again when others change it in
   * between, for a minute at most (OVERLOADED then, and NOT_APPLIED): of a mutation that is one increment or one append,
   * mutate is cheaper. REJECTED when there is neither.
   */
  list<Modified> modify(1: string table, 2: RowMutation mutation) throws (1: BigtableError error),

  /**
   * Several rows, each as readRow returns it: one for each key, in the order of the keys, without cells when there is no such
   * row or nothing of it passes the filter. Each is as it was at one moment, different ones at different moments.
   *
   * 100,000 keys at most. REJECTED when the rows together do not fit a frame, or a minute is too short to look through them:
   * ask for fewer at a time, or scan.
   */
  list<Row> readRows(1: string table, 2: list<binary> rows, 3: Filter filter) throws (1: BigtableError error),

  /**
   * Begins what createTable does. When it returns the table is there, and whoever reads or writes it waits for the tablet that
   * he needs: of many tablets it takes a while until all are served.
   */
  Operation startCreation(1: Table table, 2: list<binary> splitRows) throws (1: BigtableError error),

  /**
   * Puts an empty table in the place of one, with its name, its schema, its rights, and tablets that end where its do. When it
   * returns the old one is refused to everybody; startUndeletion brings it back for some time. The operation, a CREATION, ends
   * when all tablets of the new one are served.
   */
  Operation startTruncation(1: string table) throws (1: BigtableError error),

  /** Has what the table holds in memory written to files: what was written before this call, when it is done. */
  Operation startFlush(1: string table) throws (1: BigtableError error),

  /**
   * Has the tablets with rows of the range go through a major compaction, at the servers' pace: what is deleted or garbage
   * leaves the disk. Begun again while it is under way it begins anew, for the rows of both.
   */
  Operation startCompaction(1: string table, 2: RowRange rows) throws (1: BigtableError error),

  /**
   * Has a tablet split so that it ends with the row, which need not exist and stays the end of a tablet until somebody asks for a
   * merge. REJECTED when the row is empty: startSplits has every tablet split.
   */
  Operation startSplit(1: string table, 2: binary row) throws (1: BigtableError error),

  /** Has one tablet made of all that hold rows between these two, which are included. */
  Operation startMerge(1: string table, 2: binary fromRow, 3: binary toRow) throws (1: BigtableError error),

  /** Has the tablet with the row go to a server, host:port as in Tablet.server. */
  Operation startMove(1: string table, 2: binary row, 3: string server) throws (1: BigtableError error),

  /** What is under way in the cluster, whoever has begun it. REJECTED when it does not fit a frame: getOperation tells of one. */
  list<Operation> listOperations() throws (1: BigtableError error),

  /**
   * How far the operation of this id is; one that is not under way any more is done. REJECTED when the id is none, or of a table that
   * neither exists nor can come back.
   */
  Operation getOperation(1: string id) throws (1: BigtableError error),

  /**
   * Returns when the operation is done, or after so long, 60,000 at most, with how far it is then: ask again, of any gateway, until it is
   * done. Whoever stops waiting changes nothing of it.
   */
  Operation awaitOperation(1: string id, 2: i64 timeoutMillis) throws (1: BigtableError error),

  /**
   * A flush, compaction, split, merge or move is not to go on; what is done of it stays. Nothing happens where it is not under way.
   * REJECTED for the others: a CREATION ends when the table is served or dropped, a DRAIN with endDrain.
   */
  void cancelOperation(1: string id) throws (1: BigtableError error),

  /** The tablet servers. REJECTED when they do not fit a frame. */
  Servers listServers() throws (1: BigtableError error),

  /**
   * Has all tablets of a server go to others, and gives it none from then on, until endDrain: what comes before a server is
   * stopped. The operation, a DRAIN, stays listed, also when it is done. server: its id, or its address.
   */
  Operation startDrain(1: string server) throws (1: BigtableError error),

  /** The server may be given tablets again; those that have gone stay where they are. */
  void endDrain(1: string server) throws (1: BigtableError error),

  /** The tables that can come back. REJECTED when they do not fit a frame. */
  list<DroppedTable> listDroppedTables() throws (1: BigtableError error),

  /**
   * Brings a table back, with all that it held: of those that were dropped or truncated under the name the one of this id, or
   * with 0 the one that was dropped last. When it returns the table is there; the operation, a CREATION, ends when all its
   * tablets are served. REJECTED when none can come back, or when another table bears the name.
   */
  Operation startUndeletion(1: string table, 2: i64 id) throws (1: BigtableError error),

  /** Has every tablet that can be split in the middle of its bytes: those that were there when it was begun, each at most once. */
  Operation startSplits(1: string table) throws (1: BigtableError error)
}
