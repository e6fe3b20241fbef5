package bt.sstable;

import bt.base.AvroBytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.record.SSTableProperties;
import java.util.Set;
import org.apache.avro.SchemaNormalization;

/**
 * The properties section, in Avro's single-object encoding: C3 01, fingerprint of the schema u64, the object. Only schemas
 * that are compiled in are read. See docs/formats/sstable.md.
 */
final class PropertiesCodec {
    /** What a file may use beyond version 1: nothing so far. */
    private static final Set<String> KNOWN_FEATURES = Set.of();

    private static final int MARKER = 0x01c3;
    private static final long FINGERPRINT =
            SchemaNormalization.parsingFingerprint64(SSTableProperties.getClassSchema());

    private PropertiesCodec() {}

    static Output encode(SSTableProperties properties) {
        return new Output().u8(MARKER & 0xff).u8(MARKER >>> 8).u64(FINGERPRINT).raw(AvroBytes.encode(properties));
    }

    static SSTableProperties decode(String path, long offset, Payload payload) throws CorruptionException {
        String source = path + " block " + offset;
        Input in = new Input(source, 0, payload.array, payload.from, payload.to);
        int marker = in.u8("marker") | in.u8("marker") << 8;
        long fingerprint = in.u64("schema fingerprint");
        if (marker != MARKER || fingerprint != FINGERPRINT) {
            throw in.corrupt(String.format(
                    "properties of schema %04x %016x, this program reads %04x %016x",
                    marker, fingerprint, MARKER, FINGERPRINT));
        }
        SSTableProperties properties =
                AvroBytes.decode(source, in.raw("properties", in.remaining()), SSTableProperties.class);
        for (String feature : properties.getFeatures()) {
            if (!KNOWN_FEATURES.contains(feature)) {
                throw in.corrupt("the file uses \"" + feature + "\", which this program does not know");
            }
        }
        return properties;
    }
}
