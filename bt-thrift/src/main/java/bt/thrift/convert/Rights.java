package bt.thrift.convert;

import static bt.thrift.convert.Given.present;

import bt.base.RejectedException;
import bt.model.AccessList;
import bt.model.FamilySchema;
import bt.model.TableSchema;
import bt.thrift.gen.Grant;
import bt.thrift.gen.Right;
import bt.thrift.gen.RightsList;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/** Who may do what. */
public final class Rights {
    private Rights() {}

    /** What a caller wants given or taken; a family has a table. */
    public record Wish(String user, Set<bt.model.Right> rights, Optional<String> table, Optional<String> family) {
        public static Wish of(@Nullable Grant given) throws RejectedException {
            Grant grant = present(given, "rights");
            if (grant.isSetFamily() && !grant.isSetTable()) {
                throw new RejectedException("rights.family", "name its table too");
            }
            Set<bt.model.Right> rights = EnumSet.noneOf(bt.model.Right.class);
            for (Right right : present(grant.getRights(), "rights.rights")) {
                rights.add(right(present(right, "a right")));
            }
            if (rights.isEmpty()) {
                throw new RejectedException("rights.rights is empty", "name a right");
            }
            Optional<String> table = grant.isSetTable() ? Optional.of(Tables.name(grant.getTable())) : Optional.empty();
            return new Wish(
                    present(grant.getUser(), "rights.user"), rights, table, Optional.ofNullable(grant.getFamily()));
        }
    }

    /** Of the cluster; empty where everybody may do everything. */
    public static RightsList of(Optional<AccessList> cluster) {
        List<Grant> grants = new ArrayList<>();
        cluster.ifPresent(list -> add(list, grants, grant -> grant));
        return new RightsList(cluster.isEmpty(), grants);
    }

    /** Of a table and its families. */
    public static RightsList of(TableSchema table) {
        List<Grant> grants = new ArrayList<>();
        table.access().ifPresent(lists -> {
            add(lists.table(), grants, grant -> grant.setTable(table.name()));
            for (FamilySchema family : table.families()) {
                add(lists.family(family.id()), grants, grant -> grant.setTable(table.name())
                        .setFamily(family.name()));
            }
        });
        return new RightsList(table.access().isEmpty(), grants);
    }

    private static void add(AccessList list, List<Grant> grants, UnaryOperator<Grant> to) {
        list.users()
                .forEach((user, rights) -> grants.add(to.apply(new Grant(
                        user, rights.stream().sorted().map(Rights::right).toList()))));
    }

    private static bt.model.Right right(Right right) {
        return switch (right) {
            case READ -> bt.model.Right.READ;
            case WRITE -> bt.model.Right.WRITE;
            case SCRIPT -> bt.model.Right.SCRIPT;
            case ADMIN -> bt.model.Right.ADMIN;
            case CREATE -> bt.model.Right.CREATE;
        };
    }

    private static Right right(bt.model.Right right) {
        return switch (right) {
            case READ -> Right.READ;
            case WRITE -> Right.WRITE;
            case SCRIPT -> Right.SCRIPT;
            case ADMIN -> Right.ADMIN;
            case CREATE -> Right.CREATE;
        };
    }
}
