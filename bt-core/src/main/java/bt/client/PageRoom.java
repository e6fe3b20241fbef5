package bt.client;

import bt.base.BigtableException;

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

    /** Whether there may be none: then what is asked for before it is wanted, and counted nowhere, would pass the bound. */
    boolean isBounded();
}
