package bt.tabletserver;

/**
 * What of a server does not get on. It hangs when that is no wait which ends by itself, as one for the file store does:
 * nothing but the end of the process helps then.
 */
record Standstill(String what, boolean hangs) {
    @Override
    public String toString() {
        return what + (hangs ? " hang" : " stand still");
    }
}
