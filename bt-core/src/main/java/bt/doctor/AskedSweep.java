package bt.doctor;

/**
 * A sweep of garbage that somebody has asked for: its file in the lock service, which a master writes anew while it gets on, when it
 * was written last and when it was looked at (wall clocks, microseconds).
 */
record AskedSweep(String file, long writtenMicros, long nowMicros) implements Facts {
    @Override
    public String version() {
        return String.valueOf(writtenMicros);
    }
}
