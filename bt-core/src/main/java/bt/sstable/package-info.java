/**
 * The SSTable (sections 4 and 6 of the paper): an immutable, sorted file of byte strings, with its index, Bloom filter,
 * codecs and the cache of its blocks. It knows no rows: what the filter holds of a key is told by a {@link
 * bt.sstable.FilterKey}. The format is docs/formats/sstable.md.
 */
@NullMarked
package bt.sstable;

import org.jspecify.annotations.NullMarked;
