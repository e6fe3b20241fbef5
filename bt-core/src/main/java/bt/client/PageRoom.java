package bt.client;

import bt.base.BigtableException;
import bt.protocol.Answer;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Where the pages of a read find room, one after the other. */
interface PageRoom {
    /** Of a read that somebody waits for: how much he reads is his own affair. */
    PageRoom UNBOUNDED = new PageRoom() {
        @Override
        public void await(long pageBytes) {}

        @Override
        public void came(long pageBytes) {}

        @Override
        public void forget() {}

        @Override
        public void take(long bytes) {}

        @Override
        public Optional<AheadPage> ahead(long pageBytes, Supplier<CompletableFuture<Answer>> request) {
            AheadPage page = new AheadPage();
            page.asked(request.get());
            return Optional.of(page);
        }

        @Override
        public Optional<CompletableFuture<Answer>> claim(AheadPage page) {
            return page.take();
        }

        @Override
        public boolean isBounded() {
            return false;
        }
    };

    /** Before a page is asked for, which may have so many bytes: when this returns there is room for it. */
    void await(long pageBytes) throws BigtableException, InterruptedException;

    /** It has come, with so many bytes. */
    void came(long pageBytes);

    /** Waits until there is room for so many bytes that are no page, and counts them as one that has come. */
    void take(long bytes) throws BigtableException, InterruptedException;

    /** Nobody has any of the pages that have come. */
    void forget();

    /** Has a page asked for that nobody wants yet, and that may have so many bytes; empty where there is no room to keep it. */
    Optional<AheadPage> ahead(long pageBytes, Supplier<CompletableFuture<Answer>> request);

    /** A page that was asked for ahead is wanted now, and has its room; empty where it was given up, and is to be asked for again. */
    Optional<CompletableFuture<Answer>> claim(AheadPage page);

    /** Whether there may be none. */
    boolean isBounded();
}
