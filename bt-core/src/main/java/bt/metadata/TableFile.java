package bt.metadata;

import bt.base.AvroBytes;
import bt.base.AvroShape;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;
import bt.record.FamilyRecord;
import bt.record.FamilyRights;
import bt.record.GroupRecord;
import bt.record.QuotaRecord;
import bt.record.RuleRecord;
import bt.record.TableAccessRecord;
import bt.record.TableRecord;
import bt.record.UserBytes;
import bt.record.UserRights;
import java.util.ArrayList;
import java.util.List;
import org.apache.avro.specific.SpecificRecord;

/**
 * The lock service's file {@code tables/<id>}: {@code 00}, how many types of records follow, how many fields each of them had
 * in the program that wrote, and the record. So a program reads what one wrote that knew fewer fields. See
 * docs/formats/table.md.
 */
public final class TableFile {
    /** A record by itself begins with its table's id, which is never 0. */
    private static final int SHAPED = 0;

    /** All that a table's record is made of; what comes later comes behind these. */
    static final List<Class<? extends SpecificRecord>> TYPES = List.of(
            TableRecord.class,
            FamilyRecord.class,
            RuleRecord.class,
            GroupRecord.class,
            QuotaRecord.class,
            UserBytes.class,
            TableAccessRecord.class,
            UserRights.class,
            FamilyRights.class);

    /** What the types have here. */
    static final List<Integer> COUNTS = TYPES.stream().map(AvroBytes::fields).toList();

    /** What they had when the last record was written by itself. */
    private static final List<Integer> BARE = List.of(11, 6, 3, 6, 3, 2, 2, 2, 2);

    /** What of a table has had no default from the first. */
    private static final int LEAST_TABLE_FIELDS = 8;

    private TableFile() {}

    public static Bytes encode(TableRecord table) {
        Output out = new Output().u8(SHAPED).varint(TYPES.size());
        COUNTS.forEach(out::varint);
        return out.raw(AvroBytes.encode(table)).toBytes();
    }

    /** CORRUPTION also of what a later program wrote with more fields: to read it without them would be to lose them. */
    public static TableRecord decode(String source, Bytes content) throws CorruptionException {
        Input in = Input.of(source, content);
        if (content.isEmpty() || content.at(0) != SHAPED) {
            return decodeBare(source, content);
        }
        int unused = in.u8("mark");
        List<Integer> counts = counts(in);
        return decode(source, in.raw("table", in.remaining()), counts);
    }

    private static List<Integer> counts(Input in) throws CorruptionException {
        int types = in.length("types of records", Integer.MAX_VALUE);
        if (types > TYPES.size()) {
            throw in.corrupt(types + " types of records, this program knows " + TYPES.size() + ": use a later one");
        }
        List<Integer> counts = new ArrayList<>();
        for (Class<? extends SpecificRecord> type : TYPES.subList(0, types)) {
            int count = in.length("fields of a " + type.getSimpleName(), Integer.MAX_VALUE);
            int known = AvroBytes.fields(type);
            if (count > known) {
                throw in.corrupt("a " + type.getSimpleName() + " of " + count + " fields, this program knows " + known
                        + ": use a later one");
            }
            counts.add(count);
        }
        return counts;
    }

    /** It ends where the first field that its program did not know would begin, and nowhere else. */
    private static TableRecord decodeBare(String source, Bytes content) throws CorruptionException {
        List<Integer> counts = new ArrayList<>(BARE);
        while (true) {
            try {
                return decode(source, content, counts);
            } catch (CorruptionException malformed) {
                int tableFields = counts.get(0);
                if (tableFields == LEAST_TABLE_FIELDS) {
                    throw malformed;
                }
                counts.set(0, tableFields - 1);
            }
        }
    }

    private static TableRecord decode(String source, Bytes record, List<Integer> counts) throws CorruptionException {
        return counts.equals(COUNTS)
                ? AvroBytes.decode(source, record, TableRecord.class)
                : AvroBytes.decode(source, record, TableRecord.class, AvroShape.of(TYPES, counts));
    }
}
