package bt.rpc;

import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;

/** A server's answer to {@link Hello}: version chosen, fingerprint of its control messages, longest frame it takes. */
record Welcome(int version, long fingerprint, int frameBytes) {
    void encode(Output out) {
        out.u8(version).u64(fingerprint).u32(frameBytes);
    }

    /** What follows is for later versions and not looked at. */
    static Welcome decode(Input in) throws CorruptionException {
        Welcome welcome = new Welcome(in.u8("version"), in.u64("fingerprint"), in.u32("longest frame"));
        if (welcome.version() != Hello.VERSION || welcome.frameBytes() < Frame.STRANGER_BYTES) {
            throw in.corrupt(welcome + " was not offered");
        }
        return welcome;
    }
}
