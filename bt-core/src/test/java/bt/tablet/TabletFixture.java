package bt.tablet;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.fs.FileStore;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.FileReference;
import bt.record.TabletState;
import bt.script.ScriptEngine;
import bt.sstable.CacheSizes;
import bt.testing.ManualClock;
import bt.testing.MemoryFileStore;
import bt.testing.TabletModel;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * A tablet with what a server has around it, made small: a counter of sequences, a log that is a list, METADATA that is one
 * {@link TabletState}. Beside it the model that knows what the tablet has to answer.
 */
final class TabletFixture {
    private static final CacheSizes CACHES = new CacheSizes(1 << 20, 1 << 20, 1 << 20);
    final ManualClock clock = new ManualClock(RandomTable.EPOCH);
    final FileStore files = new MemoryFileStore(clock).process("server");
    final TableSchema schema;
    final TabletModel model;
    final TabletId id;
    final TabletState state;
    final TabletConfig config;
    private final List<ScriptEngine> engines;
    private final List<Logged> log = new ArrayList<>();
    private final Deque<Frozen> frozen = new ArrayDeque<>();
    TabletContext context;
    Tablet tablet;
    private long epoch;
    private long sequence;
    private long highestServerTimestamp;

    TabletFixture(TableSchema schema) throws BigtableException {
        this(schema, TabletConfig.DEFAULT, List.of(), Optional.empty(), Optional.empty());
    }

    TabletFixture(TableSchema schema, TabletConfig config, List<ScriptEngine> engines) throws BigtableException {
        this(schema, config, engines, Optional.empty(), Optional.empty());
    }

    TabletFixture(TableSchema schema, Optional<Bytes> previousEndRow, Optional<Bytes> endRow) throws BigtableException {
        this(schema, TabletConfig.DEFAULT, List.of(), previousEndRow, endRow);
    }

    private TabletFixture(
            TableSchema schema,
            TabletConfig config,
            List<ScriptEngine> engines,
            Optional<Bytes> previousEndRow,
            Optional<Bytes> endRow)
            throws BigtableException {
        this.schema = schema;
        this.engines = engines;
        this.config = config;
        this.model = new TabletModel(schema);
        this.id = new TabletId(schema.id(), endRow);
        this.state = TabletState.newBuilder()
                .setPreviousEndRow(previousEndRow
                        .map(row -> ByteBuffer.wrap(row.toArray()))
                        .orElse(null))
                .setFiles(new ArrayList<>())
                .setLogs(List.of())
                .setIntents(List.of())
                .setBulkLoads(List.of())
                .build();
        this.context = newContext();
        this.tablet = Tablet.open(id, schema, state, context);
    }

    private record Logged(Bytes row, long firstSequence, long timestamp, Bytes body) {}

    private TabletContext newContext() {
        epoch++;
        return new TabletContext(
                files,
                TabletCaches.of(CACHES, CACHES),
                clock,
                new FileNames(epoch),
                config,
                new Scripts(engines, config.compiledScripts()));
    }

    /** Writes, and publishes what was written. */
    void apply(RowMutation mutation) throws BigtableException {
        long timestamp = tablet.nextServerTimestamp(clock.micros());
        if (timestamp <= highestServerTimestamp) {
            throw new AssertionError(timestamp + " was given before");
        }
        ResolvedMutation resolved = Resolver.resolve(mutation, schema, sequence + 1, timestamp);
        highestServerTimestamp = Math.max(highestServerTimestamp, resolved.timestamp());
        log.add(new Logged(resolved.row(), resolved.firstSequence(), resolved.timestamp(), resolved.encodeBody()));
        tablet.apply(resolved);
        model.apply(mutation, resolved.firstSequence(), timestamp);
        sequence = resolved.lastSequence();
        tablet.publish(sequence);
    }

    long sequence() {
        return sequence;
    }

    void freeze() {
        tablet.freeze().ifPresent(frozen::add);
    }

    /** The minor compaction of the memtable that was frozen first, if one was. */
    void compact() throws BigtableException {
        if (!frozen.isEmpty()) {
            Frozen oldest = frozen.remove();
            List<FileReference> written = MinorCompaction.write(oldest, context);
            state.getFiles().addAll(written);
            state.setRedoPoint(oldest.redoPoint());
            state.setLastServerTimestamp(oldest.lastServerTimestamp());
            tablet.install(oldest, written);
        }
    }

    void flush() throws BigtableException {
        freeze();
        while (!frozen.isEmpty()) {
            compact();
        }
    }

    /** The server dies; another one opens the tablet and replays what no file has. */
    void reopen() throws BigtableException {
        tablet.close();
        frozen.clear();
        context = newContext();
        tablet = Tablet.open(id, schema, state, context);
        for (Logged logged : log) {
            ResolvedMutation mutation =
                    ResolvedMutation.decodeBody(logged.row, logged.firstSequence, logged.timestamp, logged.body);
            if (mutation.lastSequence() > state.getRedoPoint()) {
                tablet.apply(mutation);
            }
        }
        tablet.publish(sequence);
        tablet.passOn();
    }
}
