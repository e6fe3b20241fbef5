package bt.tablet;

import bt.model.TableSchema;

/**
 * What is going to be kept of a tablet's files beyond what is: of files for locality groups that it has none of, and of families that none of
 * its files has anything of, in files of so many groups at most.
 */
public record Foreseen(int files, int families, int groups) {
    public static final Foreseen NOTHING = new Foreseen(0, 0, 0);

    static Foreseen of(Held held, TableSchema schema) {
        return held.isNothing()
                ? NOTHING
                : new Foreseen(
                        held.groups(),
                        held.families(),
                        Math.min(
                                Math.max(held.groups(), held.families()),
                                schema.groups().size()));
    }

    Foreseen and(Foreseen more) {
        return isNothing() || more.isNothing()
                ? isNothing() ? more : this
                : new Foreseen(files + more.files, families + more.families, groups + more.groups);
    }

    public boolean isNothing() {
        return files == 0 && families == 0;
    }
}
