package bt.sstable;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Input;
import bt.base.Output;
import bt.record.SSTableProperties;
import java.util.Set;

/**
 * The properties section: how many fields the writer's record had (varint), the record in Avro's binary form. See
 * docs/formats/sstable.md.
 */
final class PropertiesCodec {
    /** What a file may use beyond version 1: nothing so far. */
    private static final Set<String> KNOWN_FEATURES = Set.of();

    private static final int MAX_FIELDS = 1000;

    private PropertiesCodec() {}

    static Output encode(SSTableProperties properties) {
        return new Output().varint(AvroBytes.fields(SSTableProperties.class)).raw(AvroBytes.encode(properties));
    }

    /** UNAVAILABLE when the file uses what this program does not know. */
    static SSTableProperties decode(String path, long offset, Payload payload) throws BigtableException {
        String source = path + " block " + offset;
        Input in = new Input(source, 0, payload.array, payload.from, payload.to);
        int fields = in.length("number of properties", MAX_FIELDS);
        Bytes object = in.raw("properties", in.remaining());
        SSTableProperties properties = AvroBytes.decode(source, object, SSTableProperties.class, fields);
        for (String feature : properties.getFeatures()) {
            if (!KNOWN_FEATURES.contains(feature)) {
                throw LaterFile.of(source, "it uses \"" + feature + "\", which this program does not know");
            }
        }
        if (!Codecs.isKnown(properties.getCodec())) {
            throw LaterFile.of(
                    source,
                    "its codec is \"" + properties.getCodec() + "\", which this program does not have: if it is one of"
                            + " your own, its jar must be on the class path of every server");
        }
        return properties;
    }
}
