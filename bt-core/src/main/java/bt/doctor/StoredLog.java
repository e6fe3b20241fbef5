package bt.doctor;

/** A directory of logs, when something in it last changed, and whether a tablet needs it or its server lives. */
record StoredLog(String directory, boolean needed, long modifiedMicros, long nowMicros) implements Facts {
    @Override
    public String version() {
        return directory + " " + modifiedMicros;
    }
}
