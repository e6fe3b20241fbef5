package bt.client;

import bt.base.BigtableException;

/** What {@link Table#transact} runs, perhaps more than once: it reads, decides, and says what is to be written. */
@FunctionalInterface
public interface RowTransaction<T> {
    /**
     * Reads through the transaction, tells it what to write, and returns what the caller of {@link Table#transact}
     * gets. Does nothing that cannot be done twice. What it throws ends the transaction, and nothing is written; but for
     * what it throws because several reads showed what never was at one moment: then it runs again.
     */
    T run(Transaction tx) throws BigtableException;
}
