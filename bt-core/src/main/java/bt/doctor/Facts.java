package bt.doctor;

/** What the doctor saw of one thing. */
interface Facts {
    /** Changes whenever what was decided on the thing does: two looks that saw one version saw the same. */
    String version();
}
