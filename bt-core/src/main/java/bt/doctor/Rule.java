package bt.doctor;

/** The ten things that are always true of a cluster, whatever it is just doing. Their numbers never change. */
public enum Rule {
    TILING(1, "the tablets of a table tile it"),
    CUSTODY(2, "a tablet has one server at most, which agrees"),
    FILES(3, "every referenced file is there, whole, and within its tablet"),
    UNREFERENCED_FILES(4, "no file without a reference is older than the grace"),
    NEEDED_LOGS(5, "every log that a tablet needs is there, and only a living server writes it"),
    UNNEEDED_LOGS(6, "no log that no tablet needs is older than the grace"),
    SEQUENCES(7, "the sequences of a tablet only rise"),
    METADATA(8, "METADATA holds to the rules itself"),
    PROGRESS(9, "nothing stands still"),
    MEMBERSHIP(10, "the locks are those of the servers that live, and all go by the same rights");

    private final int number;
    private final String title;

    Rule(int number, String title) {
        this.number = number;
        this.title = title;
    }

    public int number() {
        return number;
    }

    public String title() {
        return title;
    }
}
