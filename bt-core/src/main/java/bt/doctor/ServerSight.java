package bt.doctor;

import bt.protocol.Address;
import java.util.Optional;

/** A server that has its file: where it is, its epoch, whether it has its lock; what it says of itself, if it answers. */
record ServerSight(
        String id, Address address, long epoch, boolean locked, Optional<Answered> answered, String silence) {
    /** An address may have a new tenant, whose epoch is another. The version is that of the cluster's rights that it goes by. */
    record Answered(long epoch, boolean holdsLock, long rightsVersion) {}

    ServerSight answering(Answered answer) {
        return new ServerSight(id, address, epoch, locked, Optional.of(answer), "");
    }

    ServerSight silent(String why) {
        return new ServerSight(id, address, epoch, locked, Optional.empty(), why);
    }

    boolean hasAnswered() {
        return answered.filter(answer -> answer.epoch() == epoch).isPresent();
    }
}
