package bt.sstable;

import bt.base.BigtableException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * What decodes the blocks of one file. The dictionary is decoded when the first block needs it, and kept while the file is
 * open if open files have room for it in their share; else it is in the block cache. Any thread: two that come first both
 * decode it, which harms nobody.
 */
final class FileDictionary implements BlockFrame.Decoders {
    private final Source source;
    private final AtomicBoolean claimed = new AtomicBoolean();
    private volatile Optional<Loaded> kept = Optional.empty();

    FileDictionary(Source source) {
        this.source = source;
    }

    @Override
    public Optional<? extends BlockDecoder> decoder(int number) throws BigtableException {
        Optional<Loaded> known = kept;
        if (known.isPresent() && known.get().number() == number) {
            return Optional.of(known.get().decoder());
        }
        Optional<DictionaryCodec> codec = Codecs.withDictionary(number);
        if (codec.isEmpty()) {
            return Codecs.plain(number);
        }
        Loaded loaded = source.load(codec.get());
        if (claimed.compareAndSet(false, true)) {
            if (source.take(loaded.bytes())) {
                kept = Optional.of(loaded);
            } else {
                claimed.set(false);
            }
        }
        return Optional.of(loaded.decoder());
    }

    /** Where the dictionary comes from, and the room for it. */
    interface Source {
        Loaded load(DictionaryCodec codec) throws BigtableException;

        /** False: it is not to be kept. */
        boolean take(long bytes);
    }

    /** A dictionary as the codec of this number needs it; so many bytes, on the heap or beside it. */
    record Loaded(int number, BlockDecoder decoder, int bytes) implements Cached {}
}
