package bt.master;

import bt.metadata.TableFile;
import bt.record.FamilyRecord;
import bt.record.RuleRecord;
import bt.record.TableAccessRecord;
import bt.record.TableRecord;
import bt.record.UserRights;
import java.util.List;

/**
 * What the description of a table takes of the memory of a master that has read it, rather too much than too little: most of it
 * are objects, of which a file may have very many in few bytes.
 */
final class TableWeight {
    /** Of each family, rule, group, and user or family with rights or a quota. */
    private static final int PART_BYTES = 160;

    /** Of a right, which is one of a few constants. */
    private static final int RIGHT_BYTES = 8;

    /** Of a byte of the file: in a string, and in the file itself while all are read. */
    private static final int COPIES = 3;

    private TableWeight() {}

    static long of(TableRecord table) {
        return of(table, TableFile.encode(table).length());
    }

    /** The same of one whose file is known to be so long. */
    static long of(TableRecord table, int fileBytes) {
        long parts =
                1L + table.getGroups().size() + table.getQuotas().getUsers().size();
        for (FamilyRecord family : table.getFamilies()) {
            parts += 1 + rules(family.getGarbage());
        }
        long rights = 0;
        TableAccessRecord access = table.getAccess();
        if (access != null) {
            rights = bytes(access.getUsers());
            for (var family : access.getFamilies()) {
                rights += PART_BYTES + bytes(family.getUsers());
            }
        }
        return parts * PART_BYTES + rights + ofFile(fileBytes);
    }

    /** Where nobody can read what is in it. */
    static long ofFile(int fileBytes) {
        return (long) COPIES * fileBytes;
    }

    private static long rules(RuleRecord rule) {
        return 1 + rule.getRules().stream().mapToLong(TableWeight::rules).sum();
    }

    private static long bytes(List<UserRights> users) {
        return users.stream()
                .mapToLong(user ->
                        PART_BYTES + (long) RIGHT_BYTES * user.getRights().size())
                .sum();
    }
}
