package bt.tablet;

import bt.base.BigtableException;

/** What a filter wants to know of a part of a cell; to find out may take reads, or long enough to be ended. */
interface Question<T> {
    boolean holds(T part) throws BigtableException;
}
