package bt.tablet;

/** How many changes of one family there are, and what they take. Family 0 has the deletions of rows. */
public record FamilySize(int family, long cells, long bytes) {
    FamilySize plus(FamilySize that) {
        return new FamilySize(family, cells + that.cells, bytes + that.bytes);
    }
}
