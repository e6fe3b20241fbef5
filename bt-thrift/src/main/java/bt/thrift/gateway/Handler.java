package bt.thrift.gateway;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Clock;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.client.Bigtable;
import bt.client.CellPosition;
import bt.model.AccessList;
import bt.model.Filter;
import bt.model.Right;
import bt.model.SchemaChange;
import bt.model.TableSchema;
import bt.thrift.convert.CellToken;
import bt.thrift.convert.DroppedTables;
import bt.thrift.convert.Errors;
import bt.thrift.convert.Filters;
import bt.thrift.convert.Modifications;
import bt.thrift.convert.Mutations;
import bt.thrift.convert.Operations;
import bt.thrift.convert.PageRequest;
import bt.thrift.convert.Ranges;
import bt.thrift.convert.ResumeToken;
import bt.thrift.convert.Rights;
import bt.thrift.convert.Rows;
import bt.thrift.convert.TableChanges;
import bt.thrift.convert.Tables;
import bt.thrift.gen.BigtableError;
import bt.thrift.gen.ConditionalMutation;
import bt.thrift.gen.DroppedTable;
import bt.thrift.gen.Gateway;
import bt.thrift.gen.Grant;
import bt.thrift.gen.Modified;
import bt.thrift.gen.MutationResult;
import bt.thrift.gen.Operation;
import bt.thrift.gen.Page;
import bt.thrift.gen.RightsList;
import bt.thrift.gen.Row;
import bt.thrift.gen.RowMutation;
import bt.thrift.gen.Scan;
import bt.thrift.gen.Servers;
import bt.thrift.gen.Table;
import bt.thrift.gen.TableChange;
import bt.thrift.gen.Tablet;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** The calls, answered by the client library. It keeps nothing between two of them. Any thread. */
final class Handler implements Gateway.Iface, AutoCloseable {
    private final Bigtable bigtable;
    private final Turns turns;
    private final AnswerRoom room;
    private final PageReader pages;
    private final CellPageReader cellPages;
    private final NamedRows namedRows;
    private final OperationWait operations;

    Handler(Bigtable bigtable, GatewayLimits limits, Scheduler scheduler) {
        Clock clock = scheduler.clock();
        this.bigtable = bigtable;
        turns = new Turns(limits.callsAtWork(), limits.turnMillis());
        room = AnswerRoom.of(limits);
        pages = new PageReader(room, clock);
        cellPages = new CellPageReader(room, clock);
        namedRows = new NamedRows(room, clock);
        Turns looks = new Turns(limits.looksAtATime(), limits.turnMillis());
        operations = new OperationWait(bigtable.admin(), looks, scheduler, limits.turnMillis());
    }

    /** Nobody asks any more; what is at work for those who wait for operations ends. */
    @Override
    public void close() {
        operations.close();
    }

    @Override
    public List<Table> listTables() throws BigtableError {
        return answer(() -> room.checked(bigtable.admin().tables()));
    }

    @Override
    public void createTable(@Nullable Table table, @Nullable List<ByteBuffer> splitRows) throws BigtableError {
        answer(() -> {
            TableSchema draft = Tables.draft(table);
            return bigtable.admin().createTable(draft, Tables.splitRows(splitRows));
        });
    }

    @Override
    public Row readRow(@Nullable String table, @Nullable ByteBuffer row, bt.thrift.gen.@Nullable Filter filter)
            throws BigtableError {
        return answer(() -> {
            Bytes key = Rows.key(row);
            Filter wanted = Filters.of(filter);
            return pages.row(open(table), key, wanted);
        });
    }

    @Override
    public List<Row> readRows(
            @Nullable String table, @Nullable List<ByteBuffer> rows, bt.thrift.gen.@Nullable Filter filter)
            throws BigtableError {
        return answer(() -> {
            List<Bytes> keys = Rows.keys(rows);
            Filter wanted = Filters.of(filter);
            return namedRows.read(open(table), keys, wanted);
        });
    }

    @Override
    public Page scan(@Nullable String table, @Nullable Scan scan, @Nullable ByteBuffer resumeToken)
            throws BigtableError {
        return answer(() -> {
            PageRequest request = PageRequest.of(scan);
            Optional<ResumeToken> token = ResumeToken.of(resumeToken);
            return pages.read(open(table), request, token);
        });
    }

    @Override
    public Page scanCells(@Nullable String table, @Nullable Scan scan, @Nullable ByteBuffer resumeToken)
            throws BigtableError {
        return answer(() -> {
            PageRequest request = PageRequest.of(scan);
            Optional<CellPosition> from = CellToken.of(resumeToken);
            return cellPages.read(open(table), request, from);
        });
    }

    @Override
    public long mutate(@Nullable String table, @Nullable RowMutation mutation) throws BigtableError {
        return answer(() -> {
            bt.model.RowMutation wanted = Mutations.of(mutation);
            return open(table).apply(wanted);
        });
    }

    @Override
    public List<Modified> modify(@Nullable String table, @Nullable RowMutation mutation) throws BigtableError {
        return answer(() -> {
            bt.model.RowMutation wanted = Modifications.of(mutation);
            return Modifications.of(wanted, open(table).modify(wanted), room.bytes());
        });
    }

    @Override
    public boolean mutateIf(@Nullable String table, @Nullable ConditionalMutation mutation) throws BigtableError {
        return answer(() -> {
            bt.model.ConditionalMutation wanted = Mutations.conditional(mutation);
            return open(table).apply(wanted);
        });
    }

    @Override
    public List<MutationResult> mutateRows(@Nullable String table, @Nullable List<RowMutation> mutations)
            throws BigtableError {
        return answer(() -> {
            List<bt.model.RowMutation> wanted = Mutations.all(mutations);
            return open(table).applyAll(wanted).stream().map(Mutations::result).toList();
        });
    }

    @Override
    public void dropTable(@Nullable String table) throws BigtableError {
        answer(() -> {
            bigtable.admin().dropTable(Tables.name(table));
            return true;
        });
    }

    @Override
    public Operation startCreation(@Nullable Table table, @Nullable List<ByteBuffer> splitRows) throws BigtableError {
        return operation(() -> bigtable.admin().startCreation(Tables.draft(table), Tables.splitRows(splitRows)));
    }

    @Override
    public Operation startTruncation(@Nullable String table) throws BigtableError {
        return operation(() -> bigtable.admin().startTruncation(Tables.name(table)));
    }

    @Override
    public Operation startFlush(@Nullable String table) throws BigtableError {
        return operation(() -> bigtable.admin().startFlush(Tables.name(table)));
    }

    @Override
    public Operation startCompaction(@Nullable String table, bt.thrift.gen.@Nullable RowRange rows)
            throws BigtableError {
        return operation(() -> bigtable.admin().startCompaction(Tables.name(table), Ranges.of(rows)));
    }

    @Override
    public Operation startSplit(@Nullable String table, @Nullable ByteBuffer row) throws BigtableError {
        return operation(() -> bigtable.admin().startSplit(Tables.name(table), Rows.key(row)));
    }

    @Override
    public Operation startSplits(@Nullable String table) throws BigtableError {
        return operation(() -> bigtable.admin().startSplit(Tables.name(table)));
    }

    @Override
    public Operation startMerge(@Nullable String table, @Nullable ByteBuffer fromRow, @Nullable ByteBuffer toRow)
            throws BigtableError {
        return operation(() -> bigtable.admin().startMerge(Tables.name(table), Rows.key(fromRow), Rows.key(toRow)));
    }

    @Override
    public Operation startMove(@Nullable String table, @Nullable ByteBuffer row, @Nullable String server)
            throws BigtableError {
        return operation(
                () -> bigtable.admin().startMove(Tables.name(table), Rows.key(row), Operations.server(server)));
    }

    @Override
    public List<Operation> listOperations() throws BigtableError {
        return answer(() -> room.checkedOperations(bigtable.admin().operations()));
    }

    @Override
    public Operation getOperation(@Nullable String id) throws BigtableError {
        return operation(() -> bigtable.admin().operation(Operations.id(id)));
    }

    @Override
    public Operation awaitOperation(@Nullable String id, long timeoutMillis) throws BigtableError {
        try {
            return Operations.of(operations.await(Operations.id(id), timeoutMillis), room.bytes());
        } catch (BigtableException failed) {
            throw Errors.of(failed);
        }
    }

    @Override
    public void cancelOperation(@Nullable String id) throws BigtableError {
        answer(() -> {
            bigtable.admin().cancelOperation(Operations.id(id));
            return true;
        });
    }

    private Operation operation(Turns.Call<bt.client.Operation> call) throws BigtableError {
        return answer(() -> Operations.of(call.run(), room.bytes()));
    }

    @Override
    public Servers listServers() throws BigtableError {
        return answer(() -> room.checked(bigtable.admin().clusterStatus()));
    }

    @Override
    public Operation startDrain(@Nullable String server) throws BigtableError {
        return operation(() -> bigtable.admin().startDrain(Operations.server(server)));
    }

    @Override
    public void endDrain(@Nullable String server) throws BigtableError {
        answer(() -> {
            bigtable.admin().undrainServer(Operations.server(server));
            return true;
        });
    }

    @Override
    public List<DroppedTable> listDroppedTables() throws BigtableError {
        return answer(() -> room.checkedDropped(bigtable.admin().droppedTables()));
    }

    @Override
    public Operation startUndeletion(@Nullable String table, long id) throws BigtableError {
        return operation(() -> {
            String name = Tables.name(table);
            long dropped = DroppedTables.id(id);
            return dropped == 0
                    ? bigtable.admin().startUndeletion(name)
                    : bigtable.admin().startUndeletion(name, dropped);
        });
    }

    @Override
    public List<Tablet> tablets(@Nullable String table) throws BigtableError {
        return answer(() -> {
            bt.client.Table asked = open(table);
            return room.checked(asked.schema().name(), asked.tablets());
        });
    }

    @Override
    public void alterTable(@Nullable String table, @Nullable TableChange change) throws BigtableError {
        answer(() -> {
            UnaryOperator<TableSchema> wanted = TableChanges.of(change);
            return changed(() -> bigtable.admin().alterTable(Tables.name(table), wanted));
        });
    }

    @Override
    public void grant(@Nullable Grant rights) throws BigtableError {
        answer(() -> changed(() -> change(Rights.Wish.of(rights), AccessList::grant, SchemaChange::grant)));
    }

    @Override
    public void revoke(@Nullable Grant rights) throws BigtableError {
        answer(() -> changed(() -> change(Rights.Wish.of(rights), AccessList::revoke, SchemaChange::revoke)));
    }

    @Override
    public RightsList listRights(@Nullable String table) throws BigtableError {
        return answer(() -> table == null || table.isEmpty()
                ? Rights.of(bigtable.admin().access())
                : Rights.of(open(table).schema()));
    }

    /** What is to happen to the rights of a user in the cluster's list. */
    @FunctionalInterface
    private interface OfList {
        AccessList change(AccessList now, String user, Set<Right> rights);
    }

    /** The same in a schema: in the table's list, or in that of a family. */
    @FunctionalInterface
    private interface OfSchema {
        SchemaChange change(SchemaChange now, String user, Set<Right> rights, Optional<String> family);
    }

    private boolean change(Rights.Wish wish, OfList ofList, OfSchema ofSchema) throws BigtableException {
        if (wish.table().isEmpty()) {
            bigtable.admin().alterAccess(now -> ofList.change(now, wish.user(), wish.rights()));
        } else {
            bigtable.admin().alterTable(wish.table().get(), now -> ofSchema.change(
                            now.change(), wish.user(), wish.rights(), wish.family())
                    .build());
        }
        return true;
    }

    /** A schema or a list that cannot be is the caller's mistake, which shows when the change meets what there is. */
    private static <T> T changed(Turns.Call<T> change) throws BigtableException {
        try {
            return change.run();
        } catch (IllegalArgumentException cannotBe) {
            throw RejectedException.of(cannotBe, "correct it");
        }
    }

    private bt.client.Table open(@Nullable String table) throws BigtableException {
        return bigtable.table(Tables.name(table));
    }

    private <T> T answer(Turns.Call<T> call) throws BigtableError {
        try {
            return turns.take(call);
        } catch (BigtableException failed) {
            throw Errors.of(failed);
        }
    }
}
