package bt.sstable;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Crc32c;
import bt.base.Input;
import bt.base.UnavailableException;
import bt.fs.FileReader;
import bt.fs.LocalBlocks;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicLong;

/** The blocks of one file: from its tail, from the cache, or with one read. Any thread. */
final class BlockFile implements BlockSource {
    private final FileReader file;
    private final BlockCache cache;
    /** Changes only while the file is opened. */
    private Tail tail;
    /** Of the tail, by offset: views of its bytes, checked once. */
    private final ConcurrentMap<Long, Block> inTail = new ConcurrentHashMap<>();

    private final FileDictionary dictionary = new FileDictionary(new DictionarySource());
    private Optional<BlockHandle> dictionaryAt = Optional.empty();

    private final WalkHints walks = new WalkHints();

    /** What it has taken of the share of open files. */
    private final AtomicLong held = new AtomicLong();

    /** What has given room for the tail, where open files had none. Changes only while the file is opened. */
    private Optional<InMemoryShare> ofInMemory = Optional.empty();

    private volatile boolean closed;

    private BlockFile(FileReader file, BlockCache cache, Tail tail) {
        this.file = file;
        this.cache = cache;
        this.tail = tail;
        hold(tail.bytes.length);
    }

    private void hold(long bytes) {
        held.addAndGet(bytes);
        cache.countOpen(bytes);
    }

    /** False when open files have more than their share, with this one. */
    boolean isWithinShare() {
        return cache.openBytes() <= cache.maxOpenBytes();
    }

    /** While the file is opened: from here on the blocks and filters of the tail are found through the cache as all others. */
    void shedTail() {
        hold(-tail.bytes.length);
        tail = tail.shed(file.length());
    }

    /** While the file is opened: its tail is of what in-memory groups have; false where that has no room for it. */
    boolean holdTailIn(InMemoryShare inMemory) {
        if (!inMemory.take(tail.bytes.length)) {
            return false;
        }
        hold(-tail.bytes.length);
        ofInMemory = Optional.of(inMemory);
        return true;
    }

    /** The root of an index, which stays as long as the file is open, whatever becomes of the tail: see {@link KeptRoot}. */
    Block root(BlockHandle handle) throws BigtableException {
        Block root =
                KeptRoot.of(Block.decode(path(), handle.offset(), read(handle).copy()));
        hold(root.bytes());
        return root;
    }

    /** How a part of the file that is no block of entries is made of its bytes. */
    interface Made<T extends Cached> {
        T of(Payload payload) throws BigtableException;
    }

    /** A part of the file that is no block of entries: from the cache, or with one read. */
    <T extends Cached> T part(BlockHandle handle, Class<T> kind, Made<T> making) throws BigtableException {
        checkOpen();
        Optional<T> cached = cache.find(path(), handle.offset(), Access.LOOK_UP, kind);
        if (cached.isPresent()) {
            return cached.get();
        }
        Payload payload = read(handle, Codecs::plain);
        T made = making.of(payload);
        cache.keep(path(), handle.offset(), made);
        // What is of use is small, or the cache's.
        ReadBuffer.passed(payload.array);
        return made;
    }

    /** The reader is closed with it, or at once where this fails. */
    static BlockFile open(FileReader file, BlockCache cache, int maxTailBytes) throws BigtableException {
        try {
            return new BlockFile(file, cache, Tail.read(file, maxTailBytes));
        } catch (BigtableException | RuntimeException e) {
            file.close();
            throw e;
        }
    }

    @Override
    public String path() {
        return file.path();
    }

    /** Where the section table begins. */
    @Override
    public long end() {
        return tail.footer.sections().offset();
    }

    Sections sections() throws BigtableException {
        BlockHandle handle = tail.footer.sections();
        // Plainly, as the dictionary: what is found through it cannot be needed to read it.
        Payload payload = read(handle, Codecs::plain);
        Sections sections =
                Sections.decode(new Input(sectionTable(), 0, payload.array, payload.from, payload.to), end());
        dictionaryAt = sections.find(Sections.DICTIONARY);
        return sections;
    }

    /** The section table's name in messages. */
    String sectionTable() {
        return path() + " block " + end();
    }

    @Override
    public Block block(BlockHandle handle) throws BigtableException {
        return block(handle, Access.LOOK_UP);
    }

    /** A block of entries: one that is neither in the tail nor in the cache is read, and kept in the cache. */
    Block block(BlockHandle handle, Access access) throws BigtableException {
        if (isInTail(handle)) {
            return tailBlock(handle);
        }
        return throughCache(handle, access, true);
    }

    /** The same for a scan that has had so many that it is large: others' copies are not displaced by its own. */
    Block blockOfLargeScan(BlockHandle handle) throws BigtableException {
        return throughCache(handle, Access.SCAN, false);
    }

    private Block throughCache(BlockHandle handle, Access access, boolean mayDisplaceCopies) throws BigtableException {
        Optional<Block> cached = cached(handle, access);
        if (cached.isPresent()) {
            return cached.get();
        }
        Block block = near(handle, mayDisplaceCopies);
        cache.keep(block, access);
        return block;
    }

    @Override
    public Cached lookUp(BlockHandle handle, Bytes from, Bytes prefix) throws BigtableException {
        if (isInTail(handle)) {
            return tailBlock(handle);
        }
        checkOpen();
        Optional<Block> cached = cache.lookUp(path(), handle.offset());
        if (cached.isPresent()) {
            ReadWork.ofThread().countFound();
            return cached.get();
        }
        Optional<BlockPieces> known = cache.pieces(path(), handle.offset());
        if (known.isPresent() && isPieceWanted(handle, known.get(), from, prefix)) {
            return known.get();
        }
        cache.countMiss();
        Block block = near(handle, true);
        cache.keep(block, Access.LOOK_UP);
        walks.wentThrough(handle);
        // What a codec has made of its entries says nothing of where they lie.
        if (known.isEmpty() && block.payloadBytes() == handle.size() - BlockFrame.TRAILER_BYTES) {
            BlockPieces.of(block).ifPresent(learnt -> cache.learn(path(), handle.offset(), learnt));
        }
        return block;
    }

    /** Not where what lies before it was wanted last, and lately: then somebody goes along the rows, and needs all of the block. */
    private boolean isPieceWanted(BlockHandle handle, BlockPieces pieces, Bytes from, Bytes prefix) {
        int piece = pieces.find(from);
        boolean alongTheRows = piece == 0
                ? walks.leadTo(handle)
                : pieces.isNext(piece) && cache.hasPiece(path(), handle.offset(), piece - 1);
        return !alongTheRows && pieces.isNarrow(piece, prefix) && !cache.local().lacks(path(), handle.offset());
    }

    @Override
    public Block piece(BlockHandle handle, BlockPieces pieces, int piece) throws BigtableException {
        checkOpen();
        Optional<Block> cached = cache.piece(path(), handle.offset(), piece);
        if (cached.isPresent()) {
            ReadWork.ofThread().countFound();
            pieces.shown(piece);
            return cached.get();
        }
        ReadWork work = ReadWork.ofThread();
        boolean mayBeCopied = cache.local() != LocalBlocks.NONE && work.mayReadCopies();
        if (!mayBeCopied) {
            // Before there is an array for it: on an event loop this is the end.
            long unused = work.beforeWaiting();
        }
        int length = pieces.length(piece);
        int from = pieces.start(piece);
        byte[] array = ReadBuffer.newBytes(Block.bytesOfPiece(length));
        if (!mayBeCopied || !copyPiece(handle.offset(), from, array, length, pieces.crc(piece))) {
            readPiece(handle.offset() + from, array, length, pieces.crc(piece));
        }
        Block read = Block.ofPiece(path(), handle.offset() + from, array);
        cache.keepPiece(path(), handle.offset(), piece, read);
        // Not before: a read that may not wait begins again elsewhere.
        pieces.shown(piece);
        return read;
    }

    /** CORRUPTION where the file does not have what it had. */
    private void readPiece(long offset, byte[] into, int length, int crc) throws BigtableException {
        readFully(offset, into, length);
        int actual = Crc32c.of(into, 0, length);
        if (actual != crc) {
            throw new CorruptionException("%s at %d: crc %08x of %d bytes, when the block was read it was %08x"
                    .formatted(path(), offset, actual, length, crc));
        }
    }

    /** From the copy on the local disk; false where there is none, or it is not whole. */
    private boolean copyPiece(long block, int from, byte[] into, int length, int crc) throws BigtableException {
        ReadWork work = ReadWork.ofThread();
        long since = work.nanos();
        boolean found = cache.local().read(path(), block, from, into, length);
        cache.countCopy(found);
        if (!found) {
            return false;
        }
        if (Crc32c.of(into, 0, length) != crc) {
            cache.local().drop(path(), block);
            return false;
        }
        work.countCopy(length, since);
        return true;
    }

    /** A block of entries that is in no cache of this memory: its copy on the local disk, or what that is a copy of. */
    private Block near(BlockHandle handle, boolean mayDisplaceCopies) throws BigtableException {
        checkOpen();
        int size = checkedSize(handle);
        byte[] buffer = ReadBuffer.ofBytes(size);
        if (readCopy(handle, buffer, size)) {
            try {
                return decoded(handle, buffer, size);
            } catch (CorruptionException damaged) {
                // Of the copy alone, as far as is known: the file itself is asked, and copied again.
                dropCopy(handle);
            }
        }
        readFully(handle.offset(), buffer, size);
        Block block = decoded(handle, buffer, size);
        ByteBuffer copied = ByteBuffer.wrap(buffer, 0, size);
        if (mayDisplaceCopies) {
            cache.local().keep(path(), handle.offset(), copied);
        } else {
            cache.local().keepWhereFree(path(), handle.offset(), copied);
        }
        return block;
    }

    /** The bytes of a block, not looked at yet, from its copy on the local disk; empty where there is none. */
    Optional<byte[]> copy(BlockHandle handle) throws BigtableException {
        checkOpen();
        if (!cache.local().has(path(), handle.offset())) {
            cache.countCopy(false);
            return Optional.empty();
        }
        // Before there is an array for it, as for a piece.
        long unused = ReadWork.ofThread().beforeWaiting();
        byte[] bytes = ReadBuffer.newBytes(checkedSize(handle));
        return readCopy(handle, bytes, bytes.length) ? Optional.of(bytes) : Optional.empty();
    }

    private boolean readCopy(BlockHandle handle, byte[] into, int size) throws BigtableException {
        ReadWork work = ReadWork.ofThread();
        long since = work.beforeWaiting();
        boolean found = cache.local().read(path(), handle.offset(), 0, into, size);
        cache.countCopy(found);
        if (found) {
            work.countCopy(size, since);
        }
        return found;
    }

    /** Its copy on the local disk is damaged. */
    void dropCopy(BlockHandle handle) {
        cache.local().drop(path(), handle.offset());
    }

    /** Copies a block, which was checked, and whose bytes lie in the array from there on, where no other copy goes for it. */
    void copyWhereFree(BlockHandle handle, byte[] array, int from) {
        ByteBuffer copied = ByteBuffer.wrap(array, from, (int) handle.size());
        cache.local().keepWhereFree(path(), handle.offset(), copied);
    }

    /** Of the thread's buffer, which the dictionary, read meanwhile, does not use, and where the block cannot stay, or a new one. */
    private Block decoded(BlockHandle handle, byte[] buffer, int size) throws BigtableException {
        Payload payload = BlockFrame.decode(path(), handle.offset(), buffer, 0, size, dictionary);
        // What was not compressed is shown where it lies.
        boolean liesInBuffer = payload.array == buffer;
        if (!liesInBuffer) {
            ReadBuffer.passed(buffer);
        }
        boolean isOfThread = liesInBuffer && !ReadBuffer.isNew(size);
        return Block.decode(path(), handle.offset(), isOfThread ? payload.copy() : payload);
    }

    /** A block of entries that is read, and not kept. */
    Block uncached(BlockHandle handle) throws BigtableException {
        checkOpen();
        int size = checkedSize(handle);
        byte[] buffer = ReadBuffer.ofBytes(size);
        readFully(handle.offset(), buffer, size);
        return decoded(handle, buffer, size);
    }

    /** What scans of this and other files have left. */
    ReadAheads readAheads() {
        return cache.readAheads();
    }

    Optional<Block> cached(BlockHandle handle, Access access) throws UnavailableException {
        checkOpen();
        Optional<Block> found = cache.find(path(), handle.offset(), access);
        if (found.isPresent()) {
            ReadWork.ofThread().countFound();
        }
        return found;
    }

    /** Whether it is of an index, or the last block of deletions: what most files have in memory. */
    boolean isOfTail(BlockHandle handle) {
        return handle.offset() >= tail.footer.tailOffset();
    }

    boolean isInTail(BlockHandle handle) {
        return handle.offset() >= tail.offset;
    }

    /** Where that begins which {@link #isOfTail}. */
    long tailOffset() {
        return tail.footer.tailOffset();
    }

    /** How much of the heap the file takes while it is open, beside what the cache has of it, and the share of in-memory groups. */
    long memoryBytes() {
        return held.get();
    }

    /** The bytes that a block stands for, checked. */
    Payload read(BlockHandle handle) throws BigtableException {
        return read(handle, dictionary);
    }

    private Payload read(BlockHandle handle, BlockFrame.Decoders decoders) throws BigtableException {
        checkOpen();
        int size = checkedSize(handle);
        if (isInTail(handle)) {
            int from = (int) (handle.offset() - tail.offset);
            return BlockFrame.decode(path(), handle.offset(), tail.bytes, from, size, decoders);
        }
        byte[] bytes = bytes(handle.offset(), size);
        Payload payload = BlockFrame.decode(path(), handle.offset(), bytes, 0, size, decoders);
        if (payload.array != bytes) {
            ReadBuffer.passed(bytes);
        }
        return payload;
    }

    /** The block that lies in the array from {@code from} on, where the array holds all of it. */
    Block decode(BlockHandle handle, byte[] array, int from) throws BigtableException {
        Payload payload = BlockFrame.decode(path(), handle.offset(), array, from, checkedSize(handle), dictionary);
        return Block.decode(path(), handle.offset(), payload);
    }

    /** With one read. */
    byte[] bytes(long offset, int size) throws BigtableException {
        checkOpen();
        byte[] bytes = ReadBuffer.newBytes(size);
        readFully(offset, bytes, size);
        return bytes;
    }

    private void readFully(long offset, byte[] into, int size) throws BigtableException {
        ReadWork work = ReadWork.ofThread();
        long since = work.beforeWaiting();
        file.readFully(offset, into, 0, size);
        work.countRead(size, since);
    }

    /** Before memory is given for it. */
    int checkedSize(BlockHandle handle) throws CorruptionException {
        if (handle.size() > BlockFrame.MAX_PAYLOAD_BYTES + BlockFrame.TRAILER_BYTES) {
            throw new CorruptionException(
                    path() + " at " + handle.offset() + ": a block of " + handle.size() + " bytes");
        }
        return (int) handle.size();
    }

    private FileDictionary.Loaded loadDictionary(DictionaryCodec codec) throws BigtableException {
        BlockHandle at =
                dictionaryAt.isPresent() ? dictionaryAt.get() : sections().need(sectionTable(), Sections.DICTIONARY);
        return part(
                at,
                FileDictionary.Loaded.class,
                payload -> new FileDictionary.Loaded(
                        codec.number(), codec.decoder(path(), at.offset(), payload), payload.length()));
    }

    private final class DictionarySource implements FileDictionary.Source {
        @Override
        public FileDictionary.Loaded load(DictionaryCodec codec) throws BigtableException {
            return loadDictionary(codec);
        }

        @Override
        public boolean take(long bytes) {
            boolean taken = cache.takeOpen(bytes);
            held.addAndGet(taken ? bytes : 0);
            return taken;
        }
    }

    void close() {
        if (!closed) {
            closed = true;
            cache.countOpen(-held.getAndSet(0));
            ofInMemory.ifPresent(share -> share.release(tail.bytes.length));
            file.close();
        }
    }

    private Block tailBlock(BlockHandle handle) throws BigtableException {
        checkOpen();
        Block known = inTail.get(handle.offset());
        if (known != null) {
            return known;
        }
        Block block = Block.decode(path(), handle.offset(), read(handle));
        inTail.put(handle.offset(), block);
        return block;
    }

    private void checkOpen() throws UnavailableException {
        if (closed) {
            throw new UnavailableException(path() + ": closed");
        }
    }
}
