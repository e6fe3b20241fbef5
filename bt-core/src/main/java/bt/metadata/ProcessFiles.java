package bt.metadata;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.MistakeException;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.protocol.Address;
import bt.record.MasterFile;
import bt.record.ServerFile;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Files of the lock service in which a server says where it listens. Any bytes are one, or CORRUPTION. */
public final class ProcessFiles {
    private static final Pattern SERVER_ID = Pattern.compile("(.+)_([0-9]{1,5})_.+");

    /** What servers wrote that did not tell their leases; the file is as long as its fields, so it is one or the other. */
    private static final int FIELDS_BEFORE_LEASES = 4;

    private ProcessFiles() {}

    /**
     * What a tablet server's file says.
     *
     * @param process the name that whoever started it gave it; empty where nobody did
     * @param leaseMillis for how long it may answer reads when its lock is gone; 0 where it does not say
     */
    public record Server(Address address, String process, long leaseMillis) {}

    /** Of the content of {@link Paths#MASTER}: where the master listens. */
    public static Address master(SmallFile file) throws CorruptionException {
        String source = "file " + Paths.MASTER;
        return address(
                source,
                AvroBytes.decode(source, file.content(), MasterFile.class).getAddress());
    }

    /** Of the content of {@link Paths#server}. */
    public static Server server(String id, SmallFile file) throws CorruptionException {
        String source = "server file " + id;
        ServerFile content = server(source, file.content());
        return new Server(address(source, content.getAddress()), content.getProcess(), content.getLeaseMillis());
    }

    private static ServerFile server(String source, Bytes content) throws CorruptionException {
        try {
            return AvroBytes.decode(source, content, ServerFile.class);
        } catch (CorruptionException damaged) {
            try {
                return AvroBytes.decode(source, content, ServerFile.class, FIELDS_BEFORE_LEASES);
            } catch (CorruptionException neither) {
                throw damaged;
            }
        }
    }

    /** Where a server listens, as its id says, which begins with host and port; empty where no server has made the id. */
    public static Optional<Address> address(String id) {
        Matcher matcher = SERVER_ID.matcher(id);
        try {
            return matcher.matches()
                    ? Optional.of(Address.parse(matcher.group(1) + ":" + matcher.group(2)))
                    : Optional.empty();
        } catch (IllegalArgumentException noPort) {
            return Optional.empty();
        }
    }

    private static Address address(String source, String text) throws CorruptionException {
        try {
            return Address.parse(text);
        } catch (IllegalArgumentException malformed) {
            throw new CorruptionException(source + ": " + MistakeException.fact(malformed));
        }
    }
}
