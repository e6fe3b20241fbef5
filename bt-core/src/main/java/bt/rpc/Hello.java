package bt.rpc;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Input;
import bt.base.Output;
import bt.base.RejectedException;

/**
 * A client's first frame: "btrp", lowest and highest version, fingerprint of the control messages, how it says who it is,
 * and that.
 */
record Hello(long fingerprint, String user) {
    static final int VERSION = 1;

    /** The user's word, for development. 2 is kept for a delegation token, 3 for Kerberos through SASL. */
    static final int SIMPLE = 1;

    private static final Bytes MAGIC = Bytes.utf8("btrp");
    private static final int USER_BYTES = 256;

    void encode(Output out) {
        out.raw(MAGIC).u8(VERSION).u8(VERSION).u64(fingerprint).u8(SIMPLE).text(user);
    }

    /** What follows the credentials is for later versions and not looked at. */
    static Hello decode(Input in) throws BigtableException {
        if (!in.raw("magic", MAGIC.length()).equals(MAGIC)) {
            throw in.corrupt("this is no handshake of bt");
        }
        int lowest = in.u8("lowest version");
        int highest = in.u8("highest version");
        if (lowest > VERSION || highest < VERSION) {
            throw new RejectedException(
                    "handshake: versions " + lowest + " to " + highest + ", this server speaks " + VERSION,
                    "upgrade the older side");
        }
        long fingerprint = in.u64("fingerprint");
        int mode = in.u8("authentication");
        if (mode != SIMPLE) {
            throw new RejectedException(
                    "handshake: authentication " + mode + " is not served here", "use simple (" + SIMPLE + ")");
        }
        String user = in.raw("user", in.length("user", USER_BYTES)).toUtf8();
        if (user.isEmpty() || user.chars().anyMatch(Character::isISOControl)) {
            throw new RejectedException(
                    "handshake: the user has no name, or one with control characters", "name one without");
        }
        return new Hello(fingerprint, user);
    }
}
