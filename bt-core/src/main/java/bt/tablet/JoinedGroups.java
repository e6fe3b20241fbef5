package bt.tablet;

import bt.model.FamilySchema;
import bt.model.TableSchema;
import java.util.ArrayList;
import java.util.List;

/**
 * Locality groups of one version of a schema of which what is written goes to one file, though the schema has them apart: several sets of them,
 * of which no two have a group in common. Each is a number with a bit for each group, in the order of the schema, which has 64 at most.
 */
record JoinedGroups(List<Long> sets) {
    static final JoinedGroups NONE = new JoinedGroups(List.of());

    JoinedGroups {
        sets = List.copyOf(sets);
    }

    /** Those of families that are to be together, each list in one file. */
    static JoinedGroups of(List<List<Integer>> together, TableSchema schema) {
        JoinedGroups all = NONE;
        for (List<Integer> families : together) {
            all = all.and(groups(families, schema));
        }
        return all;
    }

    /**
     * By which a memtable is counted that got its first change under a schema, perhaps an earlier one, beside these files: what was one file
     * when changes came is one still.
     */
    static JoinedGroups of(TableSchema first, List<TabletFile> files, TableSchema schema) {
        List<List<Integer>> together = new ArrayList<>();
        if (first.version() != schema.version()) {
            first.groups()
                    .forEach(group -> together.add(List.copyOf(CompactionInputs.families(List.of(group), first))));
        }
        files.forEach(file -> together.add(file.families()));
        return of(together, schema);
    }

    private static long groups(List<Integer> families, TableSchema schema) {
        long groups = 0;
        for (int family : families) {
            groups |= schema.family(family).map(known -> groupOf(known, schema)).orElse(0L);
        }
        return groups;
    }

    /** The bit of the family's group. */
    static long groupOf(FamilySchema family, TableSchema schema) {
        return 1L << schema.groups().indexOf(schema.group(family.localityGroup()));
    }

    private JoinedGroups and(long more) {
        if (Long.bitCount(more) < 2) {
            return this;
        }
        long joined = more;
        List<Long> all = new ArrayList<>();
        for (long set : sets) {
            if ((set & more) == 0) {
                all.add(set);
            } else {
                joined |= set;
            }
        }
        all.add(joined);
        return new JoinedGroups(all);
    }

    /** The bit of the one that stands for this one and those that it is joined with. */
    long first(long group) {
        for (long set : sets) {
            if ((set & group) != 0) {
                return Long.lowestOneBit(set);
            }
        }
        return group;
    }

    /** Whether those that the other joins are joined here. */
    boolean contains(JoinedGroups other) {
        return other.sets.stream().allMatch(set -> sets.stream().anyMatch(wider -> (set & ~wider) == 0));
    }

    /** The schema with the families of those that are joined in the first of them. */
    TableSchema in(TableSchema schema) {
        return sets.isEmpty()
                ? schema
                : new TableSchema(
                        schema.id(),
                        schema.name(),
                        schema.version(),
                        schema.nextFamilyId(),
                        schema.durability(),
                        schema.families().stream()
                                .map(family -> family.inGroup(first(family, schema)))
                                .toList(),
                        schema.groups(),
                        schema.quotas(),
                        schema.access());
    }

    private String first(FamilySchema family, TableSchema schema) {
        long group = first(groupOf(family, schema));
        return schema.groups().get(Long.numberOfTrailingZeros(group)).name();
    }
}
