package bt.metadata;

import bt.base.AvroBytes;
import bt.model.Bloom;
import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.Quotas;
import bt.model.TableSchema;
import bt.model.TableSchema.Durability;
import bt.model.Timestamps;
import bt.record.FamilyRecord;
import bt.record.GroupRecord;
import bt.record.QuotaRecord;
import bt.record.RuleKind;
import bt.record.RuleRecord;
import bt.record.TablePhase;
import bt.record.TableRecord;
import bt.record.TimestampKind;
import bt.record.UserBytes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/** Between a table's schema and its record. A record that is no schema is an {@link IllegalArgumentException}. */
final class SchemaCodec {
    static {
        AvroBytes.trustRecords();
    }

    private static final long NO_QUOTA = -1;

    private SchemaCodec() {}

    static TableRecord encode(TableSchema schema) {
        return TableRecord.newBuilder()
                .setId(schema.id())
                .setName(schema.name())
                .setVersion(schema.version())
                .setNextFamilyId(schema.nextFamilyId())
                .setSync(schema.durability() == Durability.SYNC)
                .setPhase(TablePhase.ACTIVE)
                .setFamilies(schema.families().stream().map(SchemaCodec::family).toList())
                .setGroups(schema.groups().stream().map(SchemaCodec::group).toList())
                .setDroppedMicros(0)
                .setQuotas(quotas(schema.quotas()))
                .setAccess(schema.access().map(AccessCodec::encode).orElse(null))
                .build();
    }

    static TableSchema decode(TableRecord table) {
        List<LocalityGroup> groups =
                table.getGroups().stream().map(SchemaCodec::group).toList();
        return new TableSchema(
                table.getId(),
                table.getName(),
                table.getVersion(),
                table.getNextFamilyId(),
                table.getSync() ? Durability.SYNC : Durability.FLUSH,
                families(table.getFamilies(), groups),
                groups,
                quotas(table.getQuotas()),
                Optional.ofNullable(table.getAccess()).map(AccessCodec::decode));
    }

    private static QuotaRecord quotas(Quotas quotas) {
        return new QuotaRecord(
                quotas.tableBytes().orElse(NO_QUOTA),
                quotas.eachUserBytes().orElse(NO_QUOTA),
                quotas.userBytes().entrySet().stream()
                        .map(user -> new UserBytes(user.getKey(), user.getValue()))
                        .toList());
    }

    private static Quotas quotas(QuotaRecord record) {
        SortedMap<String, Long> users = new TreeMap<>();
        record.getUsers().forEach(user -> users.put(user.getUser(), user.getBytes()));
        return new Quotas(quota(record.getTableBytes()), quota(record.getEachUserBytes()), users);
    }

    private static OptionalLong quota(long bytes) {
        return bytes == NO_QUOTA ? OptionalLong.empty() : OptionalLong.of(bytes);
    }

    private static FamilyRecord family(FamilySchema family) {
        return new FamilyRecord(
                family.id(),
                family.name(),
                family.localityGroup(),
                rule(family.garbage()),
                family.purgeMicros().orElse(0),
                TimestampKind.valueOf(family.timestamps().name()));
    }

    /** Each of which has the group's own name: a record has it once more for each of them. */
    private static List<FamilySchema> families(List<FamilyRecord> records, List<LocalityGroup> groups) {
        Map<String, String> names = new HashMap<>();
        groups.forEach(group -> names.put(group.name(), group.name()));
        return records.stream()
                .map(record -> family(record, names.getOrDefault(record.getLocalityGroup(), record.getLocalityGroup())))
                .toList();
    }

    private static FamilySchema family(FamilyRecord family, String group) {
        long purgeMicros = family.getPurgeMicros();
        return new FamilySchema(
                family.getId(),
                family.getName(),
                group,
                rule(family.getGarbage()),
                purgeMicros == 0 ? OptionalLong.empty() : OptionalLong.of(purgeMicros),
                Timestamps.valueOf(family.getTimestamps().name()));
    }

    private static GroupRecord group(LocalityGroup group) {
        return new GroupRecord(
                group.name(),
                group.blockBytes(),
                group.codec(),
                group.inMemory(),
                group.bloom().bitsPerKey(),
                group.bloom().byColumn());
    }

    private static LocalityGroup group(GroupRecord group) {
        return new LocalityGroup(
                group.getName(),
                group.getBlockBytes(),
                group.getCodec(),
                group.getInMemory(),
                new Bloom(group.getBloomBitsPerRow(), group.getBloomByColumn()));
    }

    private static RuleRecord rule(GcRule rule) {
        if (rule instanceof GcRule.MaxVersions versions) {
            return new RuleRecord(RuleKind.MAX_VERSIONS, (long) versions.count(), List.of());
        }
        if (rule instanceof GcRule.MaxAge age) {
            return new RuleRecord(RuleKind.MAX_AGE, age.micros(), List.of());
        }
        if (rule instanceof GcRule.Any any) {
            return new RuleRecord(RuleKind.ANY, 0L, rules(any.rules()));
        }
        if (rule instanceof GcRule.Every every) {
            return new RuleRecord(RuleKind.EVERY, 0L, rules(every.rules()));
        }
        return new RuleRecord(RuleKind.KEEP_ALL, 0L, List.of());
    }

    private static List<RuleRecord> rules(List<GcRule> rules) {
        return rules.stream().map(SchemaCodec::rule).toList();
    }

    private static GcRule rule(RuleRecord rule) {
        List<GcRule> parts = rule.getRules().stream().map(SchemaCodec::rule).toList();
        return switch (rule.getKind()) {
            case KEEP_ALL -> GcRule.KEEP_ALL;
            case MAX_VERSIONS -> new GcRule.MaxVersions(versions(rule.getLimit()));
            case MAX_AGE -> new GcRule.MaxAge(rule.getLimit());
            case ANY -> new GcRule.Any(parts);
            case EVERY -> new GcRule.Every(parts);
        };
    }

    private static int versions(long limit) {
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, limit));
    }
}
