package bt.model;

import static bt.base.Check.checkGiven;

import bt.base.Bytes;
import bt.base.Messages;

/** A column: {@code family:qualifier}. The qualifier is any byte string, the empty one too. Section 2 of the paper. */
public record ColumnKey(String family, Bytes qualifier) {
    public ColumnKey {
        checkGiven(!family.isEmpty(), "a column needs a family", "name one of the table's");
    }

    /** Reads {@code family:qualifier} as {@link Bytes#parse} does; what follows the first colon is the qualifier. */
    public static ColumnKey parse(String text) {
        int colon = text.indexOf(':');
        checkGiven(colon > 0, "\"%s\" is not family:qualifier", "put a colon behind the family", Messages.name(text));
        return new ColumnKey(text.substring(0, colon), Bytes.parse(text.substring(colon + 1)));
    }

    /** A column whose qualifier is the UTF-8 of a text, which may be empty. */
    public static ColumnKey of(String family, String qualifier) {
        return new ColumnKey(family, Bytes.utf8(qualifier));
    }

    /** For messages: as {@link #toString}, a long qualifier {@link Bytes#brief in brief}. */
    public String brief() {
        return family + ":" + qualifier.brief();
    }

    @Override
    public String toString() {
        return Messages.name(family) + ":" + qualifier;
    }
}
