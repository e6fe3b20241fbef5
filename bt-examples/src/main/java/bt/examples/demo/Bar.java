package bt.examples.demo;

/** Shows how far a step is. */
interface Bar {
    /** So much of so much is done. */
    void at(long done, long total);

    /** What is going on now, in a few words. */
    void note(String text);
}
