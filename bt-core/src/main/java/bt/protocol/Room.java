package bt.protocol;

import bt.base.OverloadedException;

/** Where a request finds memory for what it is made into, before it is. */
public interface Room {
    /** For who decodes what he has made himself. */
    Room ENDLESS = bytes -> {};

    /** OVERLOADED where so many bytes beside those of the wire are too many. */
    void take(long bytes) throws OverloadedException;
}
