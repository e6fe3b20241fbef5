package bt.sstable;

import static bt.base.Check.checkState;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Output;
import bt.base.Slice;
import bt.fs.FileStore;
import bt.fs.FileWriter;
import bt.record.SSTableProperties;
import java.nio.ByteBuffer;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Writes one SSTable: entries in ascending order, then {@link #finish}, after which the file is whole and on disk. After a
 * failure only {@link #abandon} may follow. One thread at a time.
 */
public final class SSTableWriter {
    static {
        // The properties are copied as they are built, perhaps before anything was encoded.
        AvroBytes.trustRecords();
    }

    /** Above the largest cell key: row and qualifier of 64 KiB, each byte escaped. */
    public static final int MAX_KEY_BYTES = 257 << 10;

    /** Above the largest value with its attributes. */
    public static final int MAX_VALUE_BYTES = 66 << 20;

    private final FileWriter file;
    private final SSTableOptions options;
    private final BlockWriter blocks;
    private final FileEncoder encoder;
    private final RunWriter cells;
    private final RunWriter deletions;
    private final FilterWriter filters;
    private final Slice shownKey = new Slice();
    private final Slice shownValue = new Slice();
    private long entries;
    private long keyBytes;
    private long valueBytes;
    private long dataBytes;
    private boolean ended;

    private SSTableWriter(FileWriter file, SSTableOptions options) {
        this.file = file;
        this.options = options;
        this.blocks = new BlockWriter(file);
        this.encoder = Codecs.encoder(options.codec());
        this.cells = new RunWriter(blocks, encoder, options.blockBytes());
        this.deletions = new RunWriter(blocks, Codecs.encoderWithoutDictionary(options.codec()), options.blockBytes());
        this.filters = new FilterWriter(options);
    }

    /** REJECTED when the path exists. */
    public static SSTableWriter create(FileStore store, String path, SSTableOptions options) throws BigtableException {
        SSTableWriter writer = new SSTableWriter(store.create(path, FileStore.Placement.DATA), options);
        try {
            writer.append(Footer.header());
            return writer;
        } catch (BigtableException e) {
            writer.abandon();
            throw e;
        }
    }

    /** Adds an entry after all others. */
    public void add(Bytes key, Bytes value) throws BigtableException {
        shownKey.moveTo(key);
        shownValue.moveTo(value);
        add(shownKey, shownValue);
    }

    /** Adds an entry after all others; makes no objects for it. */
    public void add(Slice key, Slice value) throws BigtableException {
        addTo(cells, key, value);
        filters.add(key);
    }

    /** Adds a deletion of a row or a family to the block of their own; its keys ascend by themselves. */
    public void addDeletion(Bytes key, Bytes value) throws BigtableException {
        shownKey.moveTo(key);
        shownValue.moveTo(value);
        addDeletion(shownKey, shownValue);
    }

    /** Adds a deletion of a row or a family to the block of their own; its keys ascend by themselves. */
    public void addDeletion(Slice key, Slice value) throws BigtableException {
        addTo(deletions, key, value);
        filters.addDeletion(key);
    }

    /** The size of the file if it ended now, about; exact once it is finished. */
    public long bytes() {
        return ended ? file.position() : file.position() + cells.pendingBytes() + deletions.pendingBytes();
    }

    /** What data blocks and their dictionary take of the finished file: all but index, filters and properties. */
    public long dataBytes() {
        checkState(ended, "%s is not finished", file.path());
        return dataBytes;
    }

    /**
     * Completes the file. {@code seed} says what only the caller knows: sequences, highest server timestamp, families,
     * schema version, creator; the rest is filled in here.
     */
    public SSTableProperties finish(SSTableProperties.Builder seed) throws BigtableException {
        checkState(!ended, "%s is finished or abandoned", file.path());
        Map<Integer, BlockHandle> sections = new TreeMap<>();
        cells.flush();
        // From here on the reader keeps what it reads: the last block of deletions too, which every read asks.
        long tailOffset = blocks.position();
        deletions.flush();
        dataBytes = blocks.position() - Footer.HEADER_BYTES;
        sections.put(Sections.CELLS, cells.finish());
        sections.put(Sections.DELETIONS, deletions.finish());
        filters.finish(blocks, sections);
        Optional<Output> dictionary = encoder.dictionary();
        if (dictionary.isPresent()) {
            BlockHandle at = blocks.write(dictionary.get(), Codecs.DICTIONARIES);
            sections.put(Sections.DICTIONARY, at);
            dataBytes += at.size();
        }
        SSTableProperties properties = properties(seed);
        sections.put(Sections.PROPERTIES, blocks.write(PropertiesCodec.encode(properties), Codec.NONE));
        BlockHandle table = blocks.write(new Sections(sections).encode(), Codec.NONE);
        append(new Footer(tailOffset, table).encode());
        file.close();
        ended = true;
        return properties;
    }

    /** Gives the file up; nothing happens to one that is finished. Never fails. */
    public void abandon() {
        if (!ended) {
            ended = true;
            file.abandon();
        }
    }

    private void addTo(RunWriter run, Slice key, Slice value) throws BigtableException {
        if (ended) {
            throw new IllegalStateException(file.path() + " is finished or abandoned");
        }
        if (key.length() > MAX_KEY_BYTES || value.length() > MAX_VALUE_BYTES) {
            // Not checkArgument, nor checkState above: their arguments would be made objects first, at every entry.
            throw new IllegalArgumentException("a key of " + key.length() + " and a value of " + value.length()
                    + " bytes, more than " + MAX_KEY_BYTES + " and " + MAX_VALUE_BYTES);
        }
        run.add(key, value);
        entries++;
        keyBytes += key.length();
        valueBytes += value.length();
    }

    /** Of cells and deletions together. */
    private Bytes smallestKey() {
        return Stream.of(cells.firstKey(), deletions.firstKey())
                .flatMap(Optional::stream)
                .min(Comparator.naturalOrder())
                .orElse(Bytes.EMPTY);
    }

    private Bytes largestKey() {
        return Stream.of(cells.lastKey(), deletions.lastKey())
                .flatMap(Optional::stream)
                .max(Comparator.naturalOrder())
                .orElse(Bytes.EMPTY);
    }

    private void append(Output bytes) throws BigtableException {
        file.append(bytes.array(), 0, bytes.size());
    }

    private SSTableProperties properties(SSTableProperties.Builder seed) {
        if (!seed.hasFamilies()) {
            seed.setFamilies(List.of());
        }
        if (!seed.hasFamilyIds()) {
            seed.setFamilyIds(List.of());
        }
        if (!seed.hasCreator()) {
            seed.setCreator("");
        }
        return seed.setFeatures(List.of())
                .setSmallestKey(ByteBuffer.wrap(smallestKey().toArray()))
                .setLargestKey(ByteBuffer.wrap(largestKey().toArray()))
                .setEntries(entries)
                .setKeyBytes(keyBytes)
                .setValueBytes(valueBytes)
                .setCodec(options.codec())
                .setBlockBytes(options.blockBytes())
                .build();
    }
}
