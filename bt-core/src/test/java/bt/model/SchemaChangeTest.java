package bt.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.model.TableSchema.Durability;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SchemaChangeTest {
    private static final LocalityGroup PAGES = new LocalityGroup("pages", 1 << 16, "zstd", false, Bloom.NONE);
    private static final TableSchema BEFORE = TableSchema.draft("t")
            .group(PAGES)
            .family("a", GcRule.KEEP_ALL)
            .family("b", "pages", GcRule.KEEP_ALL)
            .build();

    @Test
    void whatADraftSaysOfAFamilyThatItHasNotIsRefused() {
        assertThatThrownBy(() ->
                        TableSchema.draft("t").family("f", GcRule.KEEP_ALL).purge("g", 1_000_000))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the draft has no family g");
        assertThatThrownBy(() -> TableSchema.draft("t").timestamps("f", Timestamps.SERVER))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the draft has no family f");
    }

    @Test
    void aDraftGrantsWhatAChangeGrants() {
        TableSchema.Builder draft =
                TableSchema.draft("t").family("a", GcRule.KEEP_ALL).family("b", GcRule.KEEP_ALL);
        assertThat(draft.build().access()).isEmpty();
        Optional<TableAccess> granted = draft.build()
                .change()
                .grant("ada", Set.of(Right.READ, Right.WRITE), Optional.empty())
                .grant("*", Set.of(Right.READ), Optional.of("b"))
                .build()
                .access();
        assertThat(draft.grant("ada", Set.of(Right.READ), Optional.empty())
                        .grant("ada", Set.of(Right.WRITE), Optional.empty())
                        .grant("*", Set.of(Right.READ), Optional.of("b"))
                        .build()
                        .access())
                .isEqualTo(granted)
                .isPresent();
        assertThatThrownBy(() -> draft.grant("ada", Set.of(Right.READ), Optional.of("g")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the draft has no family g: add it before");
    }

    @Test
    void aTableHasSoManyPartsAtMostRulesOfRulesCounted() {
        // A hundred families with 98 rules each, one group, and the rest.
        TableSchema.Builder largest = TableSchema.draft("t");
        for (int i = 0; i < 100; i++) {
            largest.family("f" + i, rule(98));
        }
        largest.family("rest", rule(Limits.SCHEMA_PARTS - 100 * 99 - 2));
        assertThat(largest.build().families()).hasSize(101);
        assertThatThrownBy(() -> largest.family("more", GcRule.KEEP_ALL).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("are 10001, more than 10000");
    }

    /** What memtables and files tell of each is in memory. */
    @Test
    void aTableHasSoManyFamiliesAtMost() {
        TableSchema.Builder most = TableSchema.draft("t");
        for (int i = 0; i < Limits.FAMILIES; i++) {
            most.family("f" + i, GcRule.KEEP_ALL);
        }
        TableSchema table = most.build();
        assertThat(table.families()).hasSize(Limits.FAMILIES);
        String refused =
                "t has 501 families, more than 500: use fewer of them, with more qualifiers in each, or several tables";
        assertThatThrownBy(
                        () -> table.change().addFamily("more", GcRule.KEEP_ALL).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(refused);
        assertThat(table.change()
                        .dropFamily("f7")
                        .addFamily("more", GcRule.KEEP_ALL)
                        .build()
                        .families())
                .hasSize(Limits.FAMILIES);
        assertThatThrownBy(() -> most.family("more", GcRule.KEEP_ALL).build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(refused);
    }

    /** All of them are asked at each cell, on an event loop too. */
    @Test
    void theRuleOfAFamilyIsMadeOfSoManyAtMost() {
        assertThat(TableSchema.draft("t")
                        .family("f", rule(Limits.FAMILY_RULES))
                        .build()
                        .families())
                .hasSize(1);
        assertThatThrownBy(() -> TableSchema.draft("t")
                        .family("f", rule(Limits.FAMILY_RULES + 1))
                        .build())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("the garbage rule of family f has 101 rules of rules, more than 100");
    }

    /** A file of each is open while a memtable is written, for a row that is deleted too. */
    @Test
    void aTableHasSoManyLocalityGroupsAtMost() {
        assertThat(grouped(Limits.LOCALITY_GROUPS).groups()).hasSize(Limits.LOCALITY_GROUPS);
        assertThatThrownBy(() -> grouped(Limits.LOCALITY_GROUPS + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("t has 65 locality groups, more than 64");
    }

    private static TableSchema grouped(int groups) {
        List<LocalityGroup> all = IntStream.range(0, groups)
                .mapToObj(i -> new LocalityGroup("g" + i, 64 << 10, "lz4", false, Bloom.ROW))
                .toList();
        FamilySchema family = new FamilySchema(1, "f", "g0", GcRule.KEEP_ALL);
        return new TableSchema(1, "t", 1, 2, TableSchema.Durability.SYNC, List.of(family), all);
    }

    @Test
    void everyFamilyOfManyIsFoundByNameAndById() {
        for (int families : new int[] {1, 8, 9, 500}) {
            TableSchema.Builder draft = TableSchema.draft("t");
            for (int i = 0; i < families; i++) {
                draft.family("f" + i, GcRule.KEEP_ALL);
            }
            TableSchema table = draft.build();
            for (FamilySchema family : table.families()) {
                assertThat(table.family(family.name())).containsSame(family);
                assertThat(table.family(family.id())).containsSame(family);
            }
            assertThat(table.family("f" + families)).isEmpty();
            assertThat(table.family(families + 1)).isEmpty();
            assertThat(table.families()).isEqualTo(List.copyOf(new ArrayList<>(table.families())));
        }
    }

    /** Half of them one level deeper. */
    private static GcRule rule(int rules) {
        GcRule age = new GcRule.MaxAge(7);
        List<GcRule> parts = new ArrayList<>(Collections.nCopies(rules / 2, age));
        parts.add(new GcRule.Every(Collections.nCopies(rules - rules / 2 - 1, age)));
        return new GcRule.Any(parts);
    }

    @Test
    void aFamilyThatIsDroppedAndAddedAgainIsAnotherOne() {
        TableSchema after = BEFORE.change()
                .dropFamily("b")
                .addFamily("b", new GcRule.MaxVersions(1))
                .build();
        assertThat(after.family("b")).contains(new FamilySchema(3, "b", "default", new GcRule.MaxVersions(1)));
        assertThat(after.nextFamilyId()).isEqualTo(4);
        assertThat(after.change().dropFamily("b").build().nextFamilyId()).isEqualTo(4);
    }

    @Test
    void rulesGroupsAndDurabilityAreChangedAndTheRestStays() {
        LocalityGroup tuned = new LocalityGroup("pages", 1 << 12, "none", true, Bloom.ROW);
        TableSchema after = BEFORE.change()
                .garbage("a", new GcRule.MaxAge(7))
                .moveFamily("a", "pages")
                .purge("b", FamilySchema.MIN_PURGE_MICROS)
                .group(tuned)
                .durability(Durability.FLUSH)
                .build();
        assertThat(after.families())
                .containsExactly(
                        new FamilySchema(1, "a", "pages", new GcRule.MaxAge(7)),
                        new FamilySchema(2, "b", "pages", GcRule.KEEP_ALL).purgedWithin(FamilySchema.MIN_PURGE_MICROS));
        assertThat(after.groups()).isEqualTo(List.of(LocalityGroup.DEFAULT, tuned));
        assertThat(after.durability()).isEqualTo(Durability.FLUSH);
        assertThat(after.version()).isEqualTo(BEFORE.version());
        assertThat(BEFORE.change().build()).isEqualTo(BEFORE);
    }

    @Test
    void aGroupGoesWhenItsFamiliesHaveLeft() {
        assertThatThrownBy(() -> BEFORE.change().dropGroup("pages").build())
                .hasMessageContaining("names the locality group pages, which is not there");
        assertThat(BEFORE.change()
                        .moveFamily("b", "default")
                        .dropGroup("pages")
                        .build()
                        .groups())
                .containsExactly(LocalityGroup.DEFAULT);
    }

    @Test
    void whatIsNotThereCannotBeChanged() {
        assertThatThrownBy(() -> BEFORE.change().dropFamily("c"))
                .hasMessage("table t has no family c: name one that it has");
        assertThatThrownBy(() -> BEFORE.change().garbage("c", GcRule.KEEP_ALL))
                .hasMessage("table t has no family c: name one that it has");
        assertThatThrownBy(() -> BEFORE.change().dropGroup("c"))
                .hasMessage("table t has no locality group c: name one that it has");
        assertThatThrownBy(() -> BEFORE.change().addFamily("a", GcRule.KEEP_ALL).build())
                .hasMessageContaining("family a twice");
    }
}
