package bt.client;

import bt.base.BigtableException;

/**
 * What {@link Table#transact} runs, perhaps more than once: it reads, decides, and says what is to be written. A
 * single-row transaction (section 3 of the paper).
 */
@FunctionalInterface
public interface RowTransaction<T> {
    /**
     * Reads through the transaction, tells it what to write, and returns what the caller of {@link Table#transact}
     * gets. Does nothing that cannot be done twice. What it throws ends the transaction, and nothing is written; but for
     * what it throws because several reads showed what never was at one moment: then it runs again. {@link BigtableException} is what
     * its reads throw, and what it likes.
     */
    T run(Transaction tx) throws BigtableException;
}
