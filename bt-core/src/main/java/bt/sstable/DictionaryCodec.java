package bt.sstable;

import bt.base.CorruptionException;

/** How blocks are compressed that share a dictionary of their file. */
interface DictionaryCodec {
    /** What the trailer of a block says that needs the dictionary. */
    int number();

    String name();

    /** For the cells of one new file. */
    FileEncoder encoder();

    /** For what is written beside cells. */
    Codec withoutDictionary();

    /** For one file. */
    BlockDecoder decoder(String path, long offset, Payload dictionary) throws CorruptionException;
}
