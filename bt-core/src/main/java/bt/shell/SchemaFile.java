package bt.shell;

import bt.command.UsageException;
import bt.model.AccessList;
import bt.model.FamilySchema;
import bt.model.LocalityGroup;
import bt.model.Quotas;
import bt.model.TableAccess;
import bt.model.TableSchema;
import bt.model.TableSchema.Durability;
import bt.model.Timestamps;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A table's schema as a JSON document that people write and keep: see docs/formats/schema-file.md. It says all of the
 * schema but ids, versions and tablets; what it leaves out is as in a table that is created without it, and of rights as it
 * is.
 */
final class SchemaFile {
    private SchemaFile() {}

    /** What a file says, as a draft of the table. */
    static TableSchema parse(String json) throws UsageException {
        JsonFields file = new JsonFields("schema", Json.parse(json));
        TableSchema.Builder draft = TableSchema.draft(file.neededText("table"));
        draft.durability(durability(file));
        for (JsonFields group : file.objects("groups")) {
            draft.group(group(group));
        }
        Map<Integer, AccessList> rights = new TreeMap<>();
        int id = 0;
        for (JsonFields family : file.objects("families")) {
            addFamily(family, draft);
            // A draft gives its families ids in their order.
            id++;
            Optional<AccessList> list = RightsFields.parse(family);
            if (list.isPresent()) {
                rights.put(id, list.get());
            }
            family.end();
        }
        draft.quotas(quotas(file));
        Optional<AccessList> ofTable = RightsFields.parse(file);
        file.end();
        return draft.build().with(RightsFields.access(ofTable, rights));
    }

    /** What {@link #parse} reads back. */
    static Map<String, Object> document(TableSchema schema) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("table", schema.name());
        document.put("durability", text(schema.durability()));
        schema.access().ifPresent(lists -> RightsFields.put(document, lists.table()));
        document.put(
                "families",
                schema.families().stream()
                        .map(family -> document(family, schema.access()))
                        .toList());
        document.put("groups", schema.groups().stream().map(GroupText::document).toList());
        if (!schema.quotas().isNone()) {
            document.put("quotas", document(schema.quotas()));
        }
        return document;
    }

    static String text(Durability durability) {
        return durability.name().toLowerCase(Locale.ROOT);
    }

    private static Durability durability(JsonFields file) throws UsageException {
        Optional<String> said = file.text("durability");
        return said.isEmpty() ? Durability.SYNC : one(Durability.values(), SchemaFile::text, said.get(), file);
    }

    private static void addFamily(JsonFields family, TableSchema.Builder draft) throws UsageException {
        String name = family.neededText("family");
        draft.family(
                name, family.text("group").orElse(LocalityGroup.DEFAULT_NAME), GarbageFields.parse(family, "garbage"));
        Optional<String> purge = family.text("purge");
        if (purge.isPresent()) {
            draft.purge(name, Ages.parseMicros(purge.get()));
        }
        Optional<String> by = family.text("timestamps");
        if (by.isPresent()) {
            draft.timestamps(name, one(Timestamps.values(), Timestamps::text, by.get(), family));
        }
    }

    private static Map<String, Object> document(FamilySchema family, Optional<TableAccess> access) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("family", family.name());
        GarbageFields.put(document, "garbage", family.garbage());
        document.put("group", family.localityGroup());
        FamilyText.purge(family).ifPresent(age -> document.put("purge", age));
        FamilyText.timestamps(family).ifPresent(by -> document.put("timestamps", by));
        access.map(lists -> lists.family(family.id()))
                .filter(list -> !list.users().isEmpty())
                .ifPresent(list -> RightsFields.put(document, list));
        return document;
    }

    private static LocalityGroup group(JsonFields group) throws UsageException {
        LocalityGroup plain = LocalityGroup.DEFAULT;
        Optional<String> bloom = group.text("bloom");
        LocalityGroup parsed = new LocalityGroup(
                group.neededText("group"),
                Math.toIntExact(
                        Math.min(Integer.MAX_VALUE, group.number("blockBytes").orElse(plain.blockBytes()))),
                group.text("codec").orElse(plain.codec()),
                group.flag("inMemory"),
                bloom.isEmpty() ? plain.bloom() : GroupText.bloom(bloom.get(), bloom.get()));
        group.end();
        return parsed;
    }

    private static Quotas quotas(JsonFields file) throws UsageException {
        Optional<JsonFields> said = file.object("quotas");
        if (said.isEmpty()) {
            return Quotas.NONE;
        }
        Quotas quotas = Quotas.NONE
                .table(said.get().number("table"))
                .eachUser(said.get().number("eachUser"));
        for (JsonFields user : said.get().objects("users")) {
            String name = user.neededText("user");
            OptionalLong bytes = user.number("bytes");
            if (bytes.isEmpty()) {
                throw new UsageException(user.where() + " has no \"bytes\"", "add it");
            }
            quotas = quotas.user(name, bytes);
            user.end();
        }
        said.get().end();
        return quotas;
    }

    private static Map<String, Object> document(Quotas quotas) {
        Map<String, Object> document = new LinkedHashMap<>();
        quotas.tableBytes().ifPresent(bytes -> document.put("table", bytes));
        quotas.eachUserBytes().ifPresent(bytes -> document.put("eachUser", bytes));
        List<Map<String, Object>> users = new ArrayList<>();
        quotas.userBytes().forEach((user, bytes) -> users.add(Map.of("user", user, "bytes", bytes)));
        if (!users.isEmpty()) {
            document.put("users", users);
        }
        return document;
    }

    private static <T> T one(T[] all, Function<T, String> text, String said, JsonFields where) throws UsageException {
        return Stream.of(all)
                .filter(each -> text.apply(each).equals(said))
                .findFirst()
                .orElseThrow(() -> new UsageException(
                        where.where() + ": \"" + said + "\" is none of "
                                + String.join(", ", Stream.of(all).map(text).toList()),
                        "write one of those"));
    }
}
