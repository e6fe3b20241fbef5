package bt.tablet;

import static bt.base.Check.checkState;

import bt.base.Bytes;
import bt.base.Slice;
import bt.sstable.Cursor;

/** A place among a memtable's entries, which stay where they are: what it showed it shows as long as the memtable lives. */
final class MemtableCursor implements Cursor {
    private static final SkipList NOTHING = new SkipList();

    private SkipList entries = NOTHING;
    private final Slice key = new Slice();
    private final Slice value = new Slice();
    private boolean begun;
    private int node = SkipList.NONE;

    /** Goes before the first of these entries, from wherever it was. */
    MemtableCursor enter(SkipList others) {
        entries = others;
        begun = false;
        node = SkipList.NONE;
        return this;
    }

    /** Lets go of the memtable. */
    void leave() {
        enter(NOTHING);
        key.moveTo(Bytes.EMPTY);
        value.moveTo(Bytes.EMPTY);
    }

    @Override
    public boolean seek(Bytes atOrAfter) {
        return arrive(entries.findAtOrAfter(atOrAfter));
    }

    @Override
    public boolean seekBefore(Bytes before) {
        return arrive(entries.findBefore(Slice.of(before)));
    }

    @Override
    public boolean seekToLast() {
        return arrive(entries.last());
    }

    @Override
    public boolean next() {
        // From the end there is no way on: NONE would lead to the first entry.
        return (!begun || node != SkipList.NONE) && arrive(entries.next(node));
    }

    @Override
    public boolean previous() {
        begun = true;
        // Links lead forwards only: it is a search.
        return node != SkipList.NONE && arrive(entries.findBefore(key));
    }

    @Override
    public Slice key() {
        checkAtEntry();
        return key;
    }

    @Override
    public Slice value() {
        checkAtEntry();
        entries.showValue(node, value);
        return value;
    }

    private boolean arrive(int found) {
        begun = true;
        node = found;
        if (found == SkipList.NONE) {
            return false;
        }
        // A merge asks for it more than once.
        entries.showKey(found, key);
        return true;
    }

    private void checkAtEntry() {
        checkState(node != SkipList.NONE, "the cursor stands at no entry");
    }
}
