package bt.metadata;

import bt.base.AvroBytes;
import bt.base.AvroShape;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.avro.specific.SpecificRecord;

/**
 * A file of the lock service with one record that lasts: {@code 00}, how many types of records follow, how many fields each of
 * them had in the program that wrote, and the record. So a program reads what one wrote that knew fewer fields. See
 * docs/formats/table.md.
 */
final class RecordFile<T extends SpecificRecord> {
    /** With which no record begins that was written by itself. */
    private static final int COUNTED = 0;

    private final Class<T> type;
    private final Bare bare;
    private final List<Class<? extends SpecificRecord>> types;
    private final List<Integer> counts;

    /** The types of the records that it is made of: what comes later comes behind these. */
    RecordFile(Class<T> type, List<Class<? extends SpecificRecord>> parts, Bare bare) {
        this.type = type;
        this.bare = bare;
        types = Stream.<Class<? extends SpecificRecord>>concat(Stream.of(type), parts.stream())
                .toList();
        counts = types.stream().map(AvroBytes::fields).toList();
    }

    /** The fields of all types when the record was last written by itself, and the fewest that its own type had before. */
    record Bare(List<Integer> counts, int fewest) {
        Bare {
            counts = List.copyOf(counts);
        }
    }

    /** Its own type first. */
    List<Class<? extends SpecificRecord>> types() {
        return types;
    }

    /** How many fields each of them has here. */
    List<Integer> counts() {
        return counts;
    }

    Bytes encode(T record) {
        Output out = new Output().u8(COUNTED).varint(counts.size());
        counts.forEach(out::varint);
        return out.raw(AvroBytes.encode(record)).toBytes();
    }

    /** CORRUPTION also of what a later program wrote with more fields: to read it without them would be to lose them. */
    T decode(String source, Bytes content) throws CorruptionException {
        if (content.isEmpty() || content.at(0) != COUNTED) {
            return decodeBare(source, content);
        }
        Input in = Input.of(source, content);
        int unused = in.u8("mark");
        List<Integer> written = counts(in);
        return decode(source, in.raw("record", in.remaining()), written);
    }

    /** Whether it begins as what a program wrote that knew more than this one. */
    boolean isOfLater(Bytes content) {
        if (content.isEmpty() || content.at(0) != COUNTED) {
            return false;
        }
        try {
            Input in = Input.of("", content);
            int unused = in.u8("mark");
            int many = in.length("types of records", in.remaining());
            boolean later = many > types.size();
            for (int i = 0; i < many && !later; i++) {
                later = in.varint("fields") > counts.get(i);
            }
            return later;
        } catch (CorruptionException tooShort) {
            return false;
        }
    }

    private List<Integer> counts(Input in) throws CorruptionException {
        int many = in.length("types of records", Integer.MAX_VALUE);
        if (many > types.size()) {
            throw in.corrupt(many + " types of records, this program knows " + types.size() + ": use a later one");
        }
        List<Integer> written = new ArrayList<>();
        for (Class<? extends SpecificRecord> each : types.subList(0, many)) {
            int count = in.length("fields of a " + each.getSimpleName(), Integer.MAX_VALUE);
            int known = AvroBytes.fields(each);
            if (count > known) {
                throw in.corrupt("a " + each.getSimpleName() + " of " + count + " fields, this program knows " + known
                        + ": use a later one");
            }
            written.add(count);
        }
        return written;
    }

    /** It ends where the first field that its program did not know would begin, and nowhere else. */
    private T decodeBare(String source, Bytes content) throws CorruptionException {
        List<Integer> written = new ArrayList<>(bare.counts());
        while (true) {
            try {
                return decode(source, content, written);
            } catch (CorruptionException malformed) {
                int fields = written.get(0);
                if (fields == bare.fewest()) {
                    throw malformed;
                }
                written.set(0, fields - 1);
            }
        }
    }

    private T decode(String source, Bytes record, List<Integer> written) throws CorruptionException {
        return written.equals(counts)
                ? AvroBytes.decode(source, record, type)
                : AvroBytes.decode(source, record, type, AvroShape.of(types, written));
    }
}
