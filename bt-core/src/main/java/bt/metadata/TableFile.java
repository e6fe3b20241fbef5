package bt.metadata;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.record.FamilyRecord;
import bt.record.FamilyRights;
import bt.record.GroupRecord;
import bt.record.QuotaRecord;
import bt.record.RuleRecord;
import bt.record.TableAccessRecord;
import bt.record.TableRecord;
import bt.record.UserBytes;
import bt.record.UserRights;
import java.util.List;

/** The lock service's file {@code tables/<id>}. See docs/formats/table.md. */
public final class TableFile {
    /** By itself the record began with its table's id, which is never 0, and ended after its groups at first. */
    static final RecordFile<TableRecord> FORM = new RecordFile<>(
            TableRecord.class,
            List.of(
                    FamilyRecord.class,
                    RuleRecord.class,
                    GroupRecord.class,
                    QuotaRecord.class,
                    UserBytes.class,
                    TableAccessRecord.class,
                    UserRights.class,
                    FamilyRights.class),
            new RecordFile.Bare(List.of(11, 6, 3, 6, 3, 2, 2, 2, 2), 8));

    private TableFile() {}

    public static Bytes encode(TableRecord table) {
        return FORM.encode(table);
    }

    /** CORRUPTION also of what a later program wrote with more fields: to read it without them would be to lose them. */
    public static TableRecord decode(String source, Bytes content) throws CorruptionException {
        return FORM.decode(source, content);
    }
}
