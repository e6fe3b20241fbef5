package bt.examples.bench;

import java.nio.ByteBuffer;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/** The fastest of what {@code rocksdbjni} offers: direct buffers that are used again, so nothing is allocated. */
final class RocksSession implements Engine.Session {
    private final RocksDB db;
    private final Entries entries;
    private final ReadOptions reading = new ReadOptions();
    private final WriteOptions writing;
    private final WriteBatch batch = new WriteBatch();
    private final byte[] keyBytes = new byte[Entries.KEY_BYTES];
    private final byte[] valueBytes;
    private final ByteBuffer key = ByteBuffer.allocateDirect(Entries.KEY_BYTES);
    private final ByteBuffer value;

    RocksSession(RocksDB db, Entries entries, boolean log) {
        this.db = db;
        this.entries = entries;
        this.writing = new WriteOptions().setDisableWAL(!log);
        this.valueBytes = new byte[entries.valueBytes()];
        this.value = ByteBuffer.allocateDirect(entries.valueBytes());
    }

    @Override
    public void write(int first, int count) throws RocksDBException {
        batch.clear();
        for (int i = first; i < first + count; i++) {
            int number = entries.numberWritten(i);
            entries.key(number, keyBytes);
            entries.value(number, valueBytes);
            key.clear().put(keyBytes).flip();
            value.clear().put(valueBytes).flip();
            batch.put(key, value);
        }
        db.write(writing, batch);
    }

    @Override
    public boolean get(int number) throws RocksDBException {
        entries.key(number, keyBytes);
        key.clear().put(keyBytes).flip();
        value.clear();
        int length = db.get(reading, key, value);
        return length == entries.valueBytes() && Entries.isValueOf(number, value.get(0));
    }

    @Override
    public boolean misses(int number) throws RocksDBException {
        entries.absentKey(number, keyBytes);
        key.clear().put(keyBytes).flip();
        value.clear();
        return db.get(reading, key, value) == RocksDB.NOT_FOUND;
    }

    @Override
    public long scan() throws RocksDBException {
        long found = 0;
        try (RocksIterator iterator = db.newIterator(reading)) {
            for (iterator.seekToFirst(); iterator.isValid(); iterator.next()) {
                key.clear();
                value.clear();
                iterator.key(key);
                iterator.value(value);
                found++;
            }
            iterator.status();
        }
        return found;
    }

    @Override
    public void close() {
        batch.close();
        writing.close();
        reading.close();
    }
}
