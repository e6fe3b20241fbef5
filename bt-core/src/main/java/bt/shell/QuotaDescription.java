package bt.shell;

import bt.client.TableUse;
import bt.model.Quotas;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;

/** What {@code bt describe} tells of a table's quotas, and what of them is used. */
final class QuotaDescription {
    private QuotaDescription() {}

    static List<String> lines(Quotas quotas, Optional<TableUse> use) {
        List<String> lines = new ArrayList<>();
        if (quotas.tableBytes().isPresent()) {
            lines.add("quota\ttable\t" + quotas.tableBytes().getAsLong() + " bytes"
                    + use.map(known -> "\tused=" + known.bytes()).orElse(""));
        }
        quotas.eachUserBytes().ifPresent(bytes -> lines.add("quota\tuser *\t" + bytes + " bytes"));
        for (String user : users(quotas, use)) {
            lines.add("quota\tuser " + user + "\t" + quotas.of(user).orElseThrow() + " bytes"
                    + use.map(known -> "\tused=" + known.users().getOrDefault(user, 0L))
                            .orElse(""));
        }
        return lines;
    }

    static Map<String, Object> document(Quotas quotas, Optional<TableUse> use) {
        Map<String, Object> document = new LinkedHashMap<>();
        quotas.tableBytes().ifPresent(bytes -> document.put("table", bytes));
        quotas.eachUserBytes().ifPresent(bytes -> document.put("eachUser", bytes));
        use.ifPresent(known -> document.put("used", known.bytes()));
        List<Map<String, Object>> users = new ArrayList<>();
        for (String user : users(quotas, use)) {
            Map<String, Object> one = new LinkedHashMap<>();
            one.put("user", user);
            one.put("bytes", quotas.of(user).orElseThrow());
            use.ifPresent(known -> one.put("used", known.users().getOrDefault(user, 0L)));
            users.add(one);
        }
        document.put("users", users);
        return document;
    }

    /** Those who have one of their own, and those who have written and are bound by that of everybody. */
    private static NavigableSet<String> users(Quotas quotas, Optional<TableUse> use) {
        NavigableSet<String> users = new TreeSet<>(quotas.userBytes().keySet());
        use.ifPresent(known -> known.users().keySet().stream()
                .filter(user -> !quotas.of(user).equals(OptionalLong.empty()))
                .forEach(users::add));
        return users;
    }
}
