package bt.base;

/** What there is to do about what was tried in vain. It ends the message of whoever gives up, once, however deep that was. */
enum Advice {
    /** Nobody answers. */
    LATER("try again later; if it stays so, see which servers live and what is damaged"),
    /** A bound is reached. */
    LESS("try again later, with less at a time"),
    /** Others were faster each time. */
    ALONE("try again later, with fewer who change it at a time, or with a transaction that reads less"),
    /** Something is damaged. */
    MEND("trying again does not help: have whoever runs the cluster see what is damaged, and mend it");

    private final String words;

    Advice(String words) {
        this.words = words;
    }

    String words() {
        return words;
    }
}
