package bt.doctor;

import bt.base.Bytes;

/** A row of METADATA that cannot be read, or that is not there at all: why. */
record DamagedRow(Bytes key, String why) implements Facts {
    @Override
    public String version() {
        return key + " " + why;
    }
}
