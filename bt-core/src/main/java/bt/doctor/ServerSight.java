package bt.doctor;

import bt.protocol.Address;
import java.util.Optional;

/**
 * A server that has its file: its epoch, whether it has its lock, what is wrong with the file; what it says of itself, if it
 * answers, else what it does instead. Where it listens is not known only of a file that no server has made.
 */
record ServerSight(
        String id,
        Optional<Address> address,
        long epoch,
        boolean locked,
        Optional<String> damage,
        Optional<Answered> answered,
        String silence) {
    /** An address may have a new tenant, whose epoch is another. The version is that of the cluster's rights that it goes by. */
    record Answered(long epoch, boolean holdsLock, long rightsVersion) {}

    ServerSight answering(Answered answer) {
        return new ServerSight(id, address, epoch, locked, damage, Optional.of(answer), "");
    }

    ServerSight silent(String why) {
        return without("does not answer: " + why);
    }

    /** It lives, or somebody does at its address. */
    ServerSight refusing(String why) {
        return without("answers, and refuses to tell of itself: " + why);
    }

    private ServerSight without(String instead) {
        return new ServerSight(id, address, epoch, locked, damage, Optional.empty(), instead);
    }

    boolean hasAnswered() {
        return answered.filter(answer -> answer.epoch() == epoch).isPresent();
    }
}
