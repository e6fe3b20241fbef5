/**
 * One tablet with no network (sections 5.3 and 5.4 of the paper): memtable, view, merged read, filters, compactions. A
 * tablet learns of no disk but through {@link bt.fs.FileStore}, and of no METADATA at all: who hosts it records what it
 * writes.
 */
@NullMarked
package bt.tablet;

import org.jspecify.annotations.NullMarked;
