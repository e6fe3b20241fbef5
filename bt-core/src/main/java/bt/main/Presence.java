package bt.main;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.protocol.Address;
import bt.record.ProcessFile;
import java.util.Optional;

/**
 * What a process says of itself to whoever started it under a name, {@code -Dbt.process=NAME}: on YARN nobody else can
 * tell which process runs in a container. A process without a name says nothing.
 */
final class Presence {
    private Presence() {}

    static void announce(LockService locks, String role, Address address) throws BigtableException {
        String name = System.getProperty("bt.process", "");
        if (name.isEmpty()) {
            return;
        }
        String path = Paths.process(name);
        Bytes content =
                AvroBytes.encode(new ProcessFile(role, ProcessHandle.current().pid(), address.toString()));
        Optional<SmallFile> before = locks.read(path);
        if (before.isEmpty()) {
            locks.create(path, content);
        } else {
            locks.write(path, content, before.get().version());
        }
    }
}
