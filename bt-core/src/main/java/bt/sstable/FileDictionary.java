package bt.sstable;

import bt.base.BigtableException;
import java.util.Optional;

/**
 * What decodes the blocks of one file. The dictionary is decoded when the first block needs it, and kept while the file is
 * open. Any thread: two that come first both decode it, which harms nobody.
 */
final class FileDictionary implements BlockFrame.Decoders {
    private final Source source;
    private volatile Optional<Loaded> loaded = Optional.empty();

    FileDictionary(Source source) {
        this.source = source;
    }

    @Override
    public Optional<? extends BlockDecoder> decoder(int number) throws BigtableException {
        Optional<Loaded> known = loaded;
        if (known.isPresent() && known.get().number() == number) {
            return Optional.of(known.get().decoder());
        }
        Optional<DictionaryCodec> codec = Codecs.withDictionary(number);
        if (codec.isEmpty()) {
            return Codecs.plain(number);
        }
        BlockDecoder decoder = source.load(codec.get());
        loaded = Optional.of(new Loaded(number, decoder));
        return Optional.of(decoder);
    }

    /** Reads the dictionary section for a codec. */
    interface Source {
        BlockDecoder load(DictionaryCodec codec) throws BigtableException;
    }

    private record Loaded(int number, BlockDecoder decoder) {}
}
