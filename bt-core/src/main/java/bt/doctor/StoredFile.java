package bt.doctor;

/** A file below {@code data}, and whether a row of METADATA refers to it. Times are wall clocks, in microseconds. */
record StoredFile(String path, String table, long bytes, boolean referenced, long modifiedMicros, long nowMicros)
        implements Facts {
    @Override
    public String version() {
        return path + " " + modifiedMicros;
    }
}
