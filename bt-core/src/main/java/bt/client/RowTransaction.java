package bt.client;

import bt.base.BigtableException;

/** What {@link Table#transact} runs, perhaps more than once: it reads, decides, and says what is to be written. */
@FunctionalInterface
public interface RowTransaction<T> {
    T run(Transaction tx) throws BigtableException;
}
