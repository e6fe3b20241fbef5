package bt.shell;

import bt.base.Bytes;
import bt.client.TableUse;
import bt.client.TabletInfo;
import bt.model.FamilySchema;
import bt.model.LocalityGroup;
import bt.model.TableSchema;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What {@code bt describe} tells of a table, in lines or as a JSON document. */
record Description(TableSchema schema, List<TabletInfo> tablets, Optional<TableUse> use)
        implements DescribeCommand.Told {
    Description {
        tablets = List.copyOf(tablets);
    }

    @Override
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("table\t" + schema.name() + "\tid=" + schema.id() + "\tversion=" + schema.version() + "\tdurability="
                + schema.durability());
        for (FamilySchema family : schema.families()) {
            lines.add("family\t" + family.name() + "\t" + FamilyText.of(family.garbage()) + "\tgroup="
                    + family.localityGroup()
                    + FamilyText.purge(family).map(age -> "\tpurge=" + age).orElse("")
                    + FamilyText.timestamps(family)
                            .map(by -> "\ttimestamps=" + by)
                            .orElse(""));
        }
        for (LocalityGroup group : schema.groups()) {
            lines.add("group\t" + group.name() + "\t" + GroupText.of(group));
        }
        lines.addAll(QuotaDescription.lines(schema.quotas(), use));
        schema.access().ifPresent(lists -> lines.addAll(AccessDescription.lines(schema, lists)));
        for (TabletInfo tablet : tablets) {
            lines.add("tablet\t[" + tablet.range().start() + ", "
                    + tablet.range().end().map(Bytes::toString).orElse("…") + ")\t"
                    + tablet.server().orElse("(moving)") + "\t" + tablet.bytes() + " bytes");
        }
        return lines;
    }

    @Override
    public Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("table", schema.name());
        document.put("id", schema.id());
        document.put("version", schema.version());
        document.put("durability", schema.durability().name());
        document.put(
                "families", schema.families().stream().map(Description::family).toList());
        document.put("groups", schema.groups().stream().map(GroupText::document).toList());
        if (!schema.quotas().isNone()) {
            document.put("quotas", QuotaDescription.document(schema.quotas(), use));
        }
        schema.access().ifPresent(lists -> document.put("rights", AccessDescription.document(schema, lists)));
        document.put("tablets", tablets.stream().map(Description::tablet).toList());
        return document;
    }

    private static Map<String, Object> family(FamilySchema family) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("family", family.name());
        document.put("garbage", FamilyText.of(family.garbage()));
        document.put("group", family.localityGroup());
        FamilyText.purge(family).ifPresent(age -> document.put("purge", age));
        FamilyText.timestamps(family).ifPresent(by -> document.put("timestamps", by));
        return document;
    }

    /** Without {@code end} the tablet is the last, without {@code server} it moves. */
    private static Map<String, Object> tablet(TabletInfo tablet) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("start", tablet.range().start().toString());
        tablet.range().end().ifPresent(end -> document.put("end", end.toString()));
        tablet.server().ifPresent(server -> document.put("server", server));
        document.put("bytes", tablet.bytes());
        return document;
    }
}
