package bt.sstable;

import bt.base.BigtableException.Outcome;
import bt.base.UnavailableException;

/** A file that is whole, as its checksums say, and made by a program that knows more than this one. Nothing is damaged. */
final class LaterFile {
    private LaterFile() {}

    /** UNAVAILABLE: another server may have the program that it takes. */
    static UnavailableException of(String place, String fact) {
        return new UnavailableException(
                place + ": " + fact + ": the file is whole, upgrade this server or have one serve it that is",
                Outcome.NOT_APPLIED);
    }
}
