package bt.examples.chaos;

/** How far a run came, and what, if it came no further, is missing. */
enum Progress {
    /** Nothing can be said. */
    STARTED("the clients were not answered before there were faults"),

    /** Every client was answered; then faults were done. */
    ANSWERED("the cluster did not become whole again"),

    /** All faults are undone: every server was known, every tablet served and every client answered again. */
    WHOLE("what clients were told could not be checked"),

    /** What clients were told was compared with what is there. */
    COMPARED("the invariants could not be checked"),

    /** The doctor has been here too. */
    EXAMINED("nothing");

    private final String missing;

    Progress(String missing) {
        this.missing = missing;
    }

    /** What the next step would have been, as what did not happen. */
    String missing() {
        return missing;
    }

    boolean hasReached(Progress wanted) {
        return compareTo(wanted) >= 0;
    }
}
