package bt.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.RejectedException;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.model.CellKey;
import bt.protocol.Address;
import bt.record.ClusterSummary;
import bt.record.MasterFile;
import bt.record.ProcessFile;
import bt.record.ServerFile;
import bt.record.TableUsage;
import bt.record.TabletLocation;
import bt.record.TabletState;
import bt.testing.MemoryLocks;
import com.code_intelligence.jazzer.junit.FuzzTest;
import java.util.List;
import java.util.Optional;
import org.apache.avro.specific.SpecificRecord;

/** What the lock service and METADATA's rows hold: any bytes are what they should be, or CORRUPTION. */
class MetadataFuzzTest {
    private static final List<Class<? extends SpecificRecord>> RECORDS =
            List.of(TableUsage.class, ClusterSummary.class, ProcessFile.class, TabletLocation.class);

    @FuzzTest
    void anyBytesAsTheRootRow(byte[] bytes) {
        try {
            RootRows.decode(new SmallFile(Bytes.wrap(bytes), 1, 1, 1));
        } catch (CorruptionException damaged) {
            // One of the two things that may happen.
        }
    }

    @FuzzTest
    void anyBytesAsTheStateOfATablet(byte[] bytes) {
        try {
            MetadataRowCodec.record("fuzz", Bytes.wrap(bytes), TabletState.class);
        } catch (CorruptionException damaged) {
            // One of the two things that may happen.
        }
    }

    @FuzzTest
    void anyBytesAsTheFileOfATable(byte[] bytes) {
        try {
            Schemas.decode(TableFile.decode("fuzz", Bytes.wrap(bytes)));
        } catch (CorruptionException | RejectedException damaged) {
            // No record, or one of a table that cannot be.
        }
    }

    @FuzzTest
    void anyBytesAsTheKeyOfARow(byte[] bytes) {
        try {
            MetadataKeys.decode(Bytes.wrap(bytes));
        } catch (CorruptionException damaged) {
            // One of the two things that may happen.
        }
    }

    @FuzzTest
    void anyBytesAsTheKeyOfACell(byte[] bytes) {
        try {
            CellKey.decode(Bytes.wrap(bytes));
        } catch (CorruptionException damaged) {
            // One of the two things that may happen.
        }
    }

    @FuzzTest
    void anyBytesAsTheFileOfTheMaster(byte[] bytes) throws CorruptionException {
        SmallFile file = new SmallFile(Bytes.wrap(bytes), 1, 1, 1);
        Address address;
        try {
            address = ProcessFiles.master(file);
        } catch (CorruptionException damaged) {
            return;
        }
        Bytes again = AvroBytes.encode(new MasterFile(address.toString(), ""));
        assertThat(ProcessFiles.master(new SmallFile(again, 1, 1, 1))).isEqualTo(address);
    }

    @FuzzTest
    void anyBytesAsTheFileOfAServer(byte[] bytes) throws CorruptionException {
        SmallFile file = new SmallFile(Bytes.wrap(bytes), 1, 1, 1);
        ProcessFiles.Server server;
        try {
            server = ProcessFiles.server("server", file);
        } catch (CorruptionException damaged) {
            return;
        }
        Bytes again = AvroBytes.encode(
                new ServerFile(server.address().toString(), "", "", server.process(), server.leaseMillis()));
        assertThat(ProcessFiles.server("server", new SmallFile(again, 1, 1, 1))).isEqualTo(server);
    }

    /** Whoever replaces it reads it otherwise: what is damaged is a list of nobody then, but not what a later program wrote. */
    @FuzzTest
    void anyBytesAsTheRightsOfTheCluster(byte[] bytes) throws BigtableException {
        MemoryLocks locks = new MemoryLocks();
        locks.create(Paths.ACCESS, Bytes.wrap(bytes));
        Optional<ClusterAccess> read = Optional.empty();
        try {
            read = Optional.of(ClusterAccess.read(locks));
        } catch (CorruptionException damaged) {
            // Nobody may do anything.
        }
        try {
            ClusterAccess replaced = ClusterAccess.toReplace(locks);
            assertThat(replaced.list()).isPresent();
            if (read.isPresent()) {
                assertThat(read).contains(replaced);
            }
        } catch (CorruptionException later) {
            assertThat(read).isEmpty();
        }
    }

    /** Those that are no more than a record. The first byte says which. */
    @FuzzTest
    void anyBytesAsARecord(byte[] bytes) throws CorruptionException {
        if (bytes.length > 0) {
            Class<? extends SpecificRecord> type = RECORDS.get((bytes[0] & 0xff) % RECORDS.size());
            SpecificRecord record;
            try {
                record = AvroBytes.decode("fuzz", Bytes.wrap(bytes, 1, bytes.length - 1), type);
            } catch (CorruptionException damaged) {
                return;
            }
            // Not the records: one with a number that is none differs from itself.
            Bytes encoded = AvroBytes.encode(record);
            assertThat(AvroBytes.encode(AvroBytes.decode("again", encoded, type)))
                    .isEqualTo(encoded);
        }
    }
}
