package bt.shell;

import bt.client.Admin;
import bt.command.UsageException;
import bt.model.AccessList;
import bt.model.Right;
import bt.model.SchemaChange;
import bt.model.TableSchema;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Parameters;

/** Whose rights to what a command changes. One command line; one thread. */
final class RightsWords {
    @Parameters(index = "0", paramLabel = "USER", description = "A user's name; '*' is everybody.")
    private String user = "";

    @Parameters(
            index = "1",
            paramLabel = "RIGHTS",
            description = "Of read, write, script and admin for a table or a family, of admin and create for the"
                    + " cluster, parted by commas; or all.")
    private String rights = "";

    @Parameters(
            index = "2",
            arity = "0..1",
            paramLabel = "TABLE[:FAMILY]",
            description = "Rights to what; without it, to the cluster.")
    private @Nullable String thing;

    /** What is to happen to the rights of a user in a list. */
    @FunctionalInterface
    interface OfList {
        AccessList change(AccessList now, String user, Set<Right> rights);
    }

    /** The same in a schema: in the table's list, or in that of a family. */
    @FunctionalInterface
    interface OfSchema {
        SchemaChange change(SchemaChange now, String user, Set<Right> rights, Optional<String> family);
    }

    /** Changes them; in a line, what the user has then. */
    String apply(OfList ofList, OfSchema ofSchema, Admin admin) throws Exception {
        Set<Right> words = parse();
        String what = thing;
        if (what == null) {
            AccessList list = admin.alterAccess(now -> ofList.change(now, user, words));
            return told("the cluster", list);
        }
        int colon = what.indexOf(':');
        String table = colon < 0 ? what : what.substring(0, colon);
        Optional<String> family = colon < 0 ? Optional.empty() : Optional.of(what.substring(colon + 1));
        TableSchema altered = admin.alterTable(
                table, now -> ofSchema.change(now.change(), user, words, family).build());
        return altered.access()
                .map(lists -> told(
                        what,
                        family.flatMap(altered::family)
                                .map(known -> lists.family(known.id()))
                                .orElse(lists.table())))
                .orElse("table " + table + " has no list: everybody has all rights");
    }

    private Set<Right> parse() throws UsageException {
        Set<Right> allowed = thing == null ? Right.OF_CLUSTERS : Right.OF_TABLES;
        try {
            return rights.equals("all") ? allowed : Right.parse(rights, allowed);
        } catch (IllegalArgumentException wrong) {
            throw UsageException.of(wrong, "name rights of those");
        }
    }

    private String told(String what, AccessList list) {
        Set<Right> has = list.users().getOrDefault(user, Set.of());
        return what + ": " + user + " has " + (has.isEmpty() ? "no right" : Right.text(has));
    }
}
