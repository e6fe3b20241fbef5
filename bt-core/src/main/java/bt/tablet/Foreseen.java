package bt.tablet;

/**
 * What a tablet's memtables are going to become, those that are being written too: files, and families of which these have something.
 */
public record Foreseen(int files, int families) {
    static Foreseen of(TabletView view) {
        int files = 0;
        int families = 0;
        for (Memtable memtable : view.memtables()) {
            files += memtable.foreseen().count(view.schema());
            families += memtable.families();
        }
        return new Foreseen(files, families);
    }
}
