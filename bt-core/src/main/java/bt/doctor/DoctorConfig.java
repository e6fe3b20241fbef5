package bt.doctor;

import static bt.base.Check.checkArgument;

/**
 * How the doctor works. What no tablet refers to may lie around for {@code graceMillis}; what has not moved for
 * {@code stuckMillis} stands still; what a healthy cluster shows for a while is told when it lasts {@code patienceMillis}.
 */
public record DoctorConfig(Depth depth, long graceMillis, long stuckMillis, long patienceMillis) {
    /** Patience: a session, a lease and six seconds, and as much again. */
    public static final DoctorConfig DEFAULT = new DoctorConfig(Depth.OPEN, 2 * 24 * 3_600_000L, 10 * 60_000L, 36_000);

    public DoctorConfig {
        checkArgument(graceMillis >= 0 && stuckMillis >= 0 && patienceMillis > 0, "periods are not negative");
    }

    public DoctorConfig at(Depth other) {
        return new DoctorConfig(other, graceMillis, stuckMillis, patienceMillis);
    }

    public DoctorConfig patient(long millis) {
        return new DoctorConfig(depth, graceMillis, stuckMillis, millis);
    }

    /** With at least this grace. */
    public DoctorConfig graced(long millis) {
        return new DoctorConfig(depth, Math.max(graceMillis, millis), stuckMillis, patienceMillis);
    }

    /** How far files are looked into. */
    public enum Depth {
        /** They are there, and as long as METADATA says. */
        NAMES,
        /** SSTables open: their index, filters and properties are whole and say what METADATA says. Logs begin well. */
        OPEN,
        /** Every block of every file is read. */
        READ
    }
}
