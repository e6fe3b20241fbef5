package bt.examples.chaos;

/**
 * One fault of a plan.
 *
 * @param atMillis when it begins, from the begin of the plan
 * @param lastsMillis for how long
 * @param roll chooses among those whom it may hit, and how hard; not negative
 */
record Strike(FaultKind kind, long atMillis, long lastsMillis, int roll) {
    long endMillis() {
        return atMillis + lastsMillis;
    }

    /** The same for another of those whom it may hit. */
    Strike again() {
        return new Strike(kind, atMillis, lastsMillis, (roll + 1) & Integer.MAX_VALUE);
    }

    /** One of a list that is not empty. */
    <T> T choose(java.util.List<T> from) {
        return from.get(roll % from.size());
    }

    /** A yes or no that does not follow from whom it hits. */
    boolean coin() {
        return (roll >>> 16 & 1) == 0;
    }
}
