package bt.doctor;

import static bt.base.Check.checkArgument;

import java.util.Optional;

/**
 * How the doctor works. What no tablet refers to may lie around for {@code graceMillis}; what has not moved for
 * {@code stuckMillis} stands still; what a healthy cluster shows for a while is told when it lasts {@code patienceMillis}. A
 * server that has lost its file may answer reads for {@code leaseMillis} more.
 */
public record DoctorConfig(Depth depth, long graceMillis, long stuckMillis, long patienceMillis, long leaseMillis) {
    /** Patience: a session, a lease and six seconds, and as much again. */
    public static final DoctorConfig DEFAULT =
            new DoctorConfig(Depth.OPEN, 2 * 24 * 3_600_000L, 10 * 60_000L, 36_000, 6_000);

    public DoctorConfig {
        checkArgument(
                graceMillis >= 0 && stuckMillis >= 0 && patienceMillis > 0 && leaseMillis > 0,
                "periods are not negative");
    }

    public DoctorConfig at(Depth other) {
        return new DoctorConfig(other, graceMillis, stuckMillis, patienceMillis, leaseMillis);
    }

    public DoctorConfig patient(long millis) {
        return new DoctorConfig(depth, graceMillis, stuckMillis, millis, leaseMillis);
    }

    /** With at least this grace. */
    public DoctorConfig graced(long millis) {
        return new DoctorConfig(depth, Math.max(graceMillis, millis), stuckMillis, patienceMillis, leaseMillis);
    }

    /** For servers with this lease. */
    public DoctorConfig leased(long millis) {
        return new DoctorConfig(depth, graceMillis, stuckMillis, patienceMillis, millis);
    }

    /** How far files are looked into. */
    public enum Depth {
        /** They are there, and as long as METADATA says. */
        NAMES(
                "what is in files was not looked at: bt doctor --files open opens them, --files read compares all checksums"),
        /** SSTables open: their index, filters and properties are whole and say what METADATA says. Logs begin well. */
        OPEN("blocks of SSTables and records of logs were not read: bt doctor --files read compares their checksums"),
        /** Every block of every file is read. */
        READ("");

        private final String omission;

        Depth(String omission) {
            this.omission = omission;
        }

        /** What files may hide from a doctor who looks no further, and how to ask for more; empty where that is nothing. */
        Optional<String> omission() {
            return omission.isEmpty() ? Optional.empty() : Optional.of(omission);
        }
    }
}
