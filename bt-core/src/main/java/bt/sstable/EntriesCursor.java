package bt.sstable;

import bt.base.Bytes;
import bt.base.Slice;

/** A place among entries that were copied out of their blocks. One thread. */
final class EntriesCursor implements Cursor {
    private final Slice key = new Slice();
    private final Slice value = new Slice();
    private Entries entries = Entries.NONE;
    /** -1: before the first. */
    private int at = -1;

    /** Goes before the first of these, from wherever it was. */
    EntriesCursor enter(Entries others) {
        entries = others;
        at = -1;
        key.moveTo(Bytes.EMPTY);
        value.moveTo(Bytes.EMPTY);
        return this;
    }

    @Override
    public boolean seek(Bytes atOrAfter) {
        for (int i = 0; i < entries.count(); i++) {
            if (moveTo(i) && key.compareWith(atOrAfter) >= 0) {
                return true;
            }
        }
        return moveTo(entries.count());
    }

    @Override
    public boolean seekBefore(Bytes before) {
        for (int i = entries.count() - 1; i >= 0; i--) {
            if (moveTo(i) && key.compareWith(before) < 0) {
                return true;
            }
        }
        return moveTo(entries.count());
    }

    @Override
    public boolean seekToLast() {
        return moveTo(entries.count() == 0 ? 0 : entries.count() - 1);
    }

    @Override
    public boolean next() {
        return at < entries.count() && moveTo(at + 1);
    }

    @Override
    public boolean previous() {
        // From behind the last there is no way back, and before the first there is none.
        return moveTo(at > 0 && at < entries.count() ? at - 1 : entries.count());
    }

    /** False: there is no such entry, and no step leads away from here. */
    private boolean moveTo(int index) {
        at = index;
        if (index == entries.count()) {
            return false;
        }
        entries.show(index, key, value);
        return true;
    }

    @Override
    public Slice key() {
        return key;
    }

    @Override
    public Slice value() {
        return value;
    }
}
