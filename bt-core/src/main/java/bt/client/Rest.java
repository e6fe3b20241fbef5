package bt.client;

import bt.base.BigtableException;
import java.io.UncheckedIOException;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** What a scanner has still to give, as Java goes through things. One thread. */
final class Rest<T> implements Iterator<T> {
    private final Next<T> scanner;
    private Optional<T> next = Optional.empty();

    Rest(Next<T> scanner) {
        this.scanner = scanner;
    }

    /** A scanner's next one; empty after the last. */
    @FunctionalInterface
    interface Next<T> {
        Optional<T> next() throws BigtableException;
    }

    /** To be closed by whoever closes the scanner. */
    Stream<T> stream() {
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(this, Spliterator.ORDERED | Spliterator.NONNULL), false);
    }

    @Override
    public boolean hasNext() {
        if (next.isEmpty()) {
            try {
                next = scanner.next();
            } catch (BigtableException failed) {
                throw new UncheckedIOException(failed);
            }
        }
        return next.isPresent();
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the scan has ended");
        }
        T given = next.orElseThrow();
        next = Optional.empty();
        return given;
    }
}
