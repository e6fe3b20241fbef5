package bt.main;

import bt.base.BigtableException;
import bt.base.Halt;
import bt.base.Scheduler;
import bt.master.Bootstrap;
import bt.master.Master;
import bt.protocol.Address;
import java.security.SecureRandom;

/** A master with all that it stands on. */
final class MasterProcess implements ServerProcess {
    private final Ground ground;
    private final Master master;

    private MasterProcess(Ground ground, Master master) {
        this.ground = ground;
        this.master = master;
    }

    /** Listens and begins to stand for election. REJECTED when lock service and file store do not belong together. */
    static MasterProcess start(ServerSettings settings, Halt halt) throws BigtableException {
        Ground ground = Ground.open(settings, settings.masterBerth(), halt);
        try {
            Bootstrap.check(ground.locks(), ground.files());
            SecureRandom random = new SecureRandom();
            Master master = Master.start(
                    settings.master(),
                    new Master.Ports(ground.files(), ground.locks(), ground.network(), ground.scheduler(), random),
                    ground.address(),
                    Long.toHexString(random.nextLong()),
                    halt);
            ground.doorway().open(master);
            Presence.announce(ground.locks(), "master", ground.address());
            FileStores.announce(ground.locks(), settings.root());
            return new MasterProcess(ground, master);
        } catch (BigtableException failed) {
            ground.close();
            throw failed;
        }
    }

    @Override
    public Address address() {
        return ground.address();
    }

    @Override
    public Scheduler scheduler() {
        return ground.scheduler();
    }

    @Override
    public boolean hasEnded() {
        return master.ended().isDone();
    }

    /** Releases the lock, in milliseconds: another master takes over. */
    @Override
    public void abandon() {
        master.abandon();
        ground.locks().close();
    }

    @Override
    public void close() {
        master.abandon();
        ground.close();
    }
}
