package bt.sstable;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.SharedIds;
import bt.record.FamilyAges;
import bt.record.SSTableProperties;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * The properties of a file while it is open, which is as long as its tablet is served: of its keys no more than a {@link KeySpan}, and
 * what they tell of families, two hundred bytes and more of each, as it is written where these are many. Any thread.
 */
final class KeptProperties {
    /** Of what is told of families: most files have no more. */
    private static final int FEW = 16;

    /** Of a count of a family, and of its ages, with their place among all. */
    private static final int COUNT_BYTES = 48;

    private static final int AGES_BYTES = 170;

    /** Of bytes by their age. */
    private static final int CLASS_BYTES = 8;

    private static final ByteBuffer NO_KEY = AvroBytes.buffer(Bytes.EMPTY);

    private final KeySpan keys;
    private final SSTableProperties properties;

    /** Empty where nothing is. */
    private final Bytes packed;

    private KeptProperties(KeySpan keys, SSTableProperties properties, Bytes packed) {
        this.keys = keys;
        this.properties = properties;
        this.packed = packed;
    }

    /** Of properties that were just read, which are nobody else's. */
    static KeptProperties of(SSTableProperties read) {
        KeySpan keys = KeySpan.of(read.getSmallestKey(), read.getLargestKey());
        read.setSmallestKey(NO_KEY);
        read.setLargestKey(NO_KEY);
        read.setFamilyIds(SharedIds.of(read.getFamilyIds()));
        // Files of earlier programs tell a rule in full.
        read.getAges().forEach(ages -> ages.setRule(RuleMark.of(ages.getRule())));
        if (read.getFamilies().size() + read.getAges().size() <= FEW) {
            return new KeptProperties(keys, read, Bytes.EMPTY);
        }
        Bytes packed = AvroBytes.encode(
                SSTableProperties.newBuilder(read).setFamilyIds(List.of()).build());
        read.setFamilies(List.of());
        read.setAges(List.of());
        return new KeptProperties(keys, read, packed);
    }

    KeySpan keys() {
        return keys;
    }

    /** All but keys, and but families and ages, which are not always among them. */
    SSTableProperties properties() {
        return properties;
    }

    /** Families and ages; what else is among them is not always. */
    SSTableProperties ofFamilies() {
        if (packed.isEmpty()) {
            return properties;
        }
        try {
            return AvroBytes.decode("families of a file", packed, SSTableProperties.class);
        } catch (CorruptionException impossible) {
            throw new IllegalStateException("what was encoded is not decoded", impossible);
        }
    }

    /** What is kept of families and keys. */
    long bytes() {
        long bytes = (long) keys.bytes()
                + packed.length()
                + (long) COUNT_BYTES * properties.getFamilies().size();
        for (FamilyAges ages : properties.getAges()) {
            bytes += AGES_BYTES
                    + (long) CLASS_BYTES * ages.getBytesByAge().size()
                    + ages.getRule().length();
        }
        return bytes;
    }
}
