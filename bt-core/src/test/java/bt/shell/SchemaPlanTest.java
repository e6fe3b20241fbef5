package bt.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.model.AccessList;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.Quotas;
import bt.model.Right;
import bt.model.TableAccess;
import bt.model.TableSchema;
import bt.model.TableSchema.Durability;
import bt.model.Timestamps;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class SchemaPlanTest {
    private static final LocalityGroup BIG =
            new LocalityGroup("big", 128 << 10, "zstd", false, LocalityGroup.DEFAULT.bloom());

    private static final TableSchema PRESENT = TableSchema.draft("t")
            .group(BIG)
            .family("kept", "big", new GcRule.MaxVersions(3))
            .family("dropped", GcRule.KEEP_ALL)
            .build();

    private static List<String> texts(SchemaPlan plan) {
        return plan.steps().stream().map(SchemaPlan.Step::text).toList();
    }

    private static SchemaPlan plan(TableSchema wanted) {
        return SchemaPlan.of(Optional.of(PRESENT), wanted);
    }

    @Test
    void aTableThatIsAsWantedHasNothingToBeDone() {
        assertThat(plan(PRESENT).isEmpty()).isTrue();
        assertThat(plan(PRESENT).apply(PRESENT, PRESENT)).isEqualTo(PRESENT);
    }

    @Test
    void aTableThatIsNotThereHasAllItsSteps() {
        SchemaPlan plan = SchemaPlan.of(Optional.empty(), PRESENT);
        assertThat(texts(plan))
                .containsExactly(
                        "create table t",
                        "add group big: codec=zstd,block=131072,bloom=row",
                        "add family kept: versions=3,group=big",
                        "add family dropped: all,group=default");
        assertThat(plan.drops()).isFalse();
    }

    @Test
    void listsOfRightsAreStepsWhereAFileSaysThem() {
        AccessList reads = AccessList.NOBODY.grant("alice", Set.of(Right.READ));
        AccessList writes = reads.grant("bob", Set.of(Right.READ, Right.WRITE));
        TableSchema open = TableSchema.draft("t")
                .family("dropped", GcRule.KEEP_ALL)
                .family("f", GcRule.KEEP_ALL)
                .build();
        TableSchema closed = open.with(access(reads, 2, reads));
        TableSchema wanted = TableSchema.draft("t")
                .family("f", GcRule.KEEP_ALL)
                .family("new", GcRule.KEEP_ALL)
                .build()
                .with(access(writes, 2, reads));

        SchemaPlan plan = SchemaPlan.of(Optional.of(closed), wanted);
        assertThat(texts(plan))
                .containsExactly(
                        "DROP FAMILY dropped WITH ALL ITS CELLS, FOR GOOD",
                        "add family new: all,group=default",
                        "rights of the table: alice read -> alice read, bob read,write",
                        "rights of family f: alice read -> nobody",
                        "rights of family new: nobody -> alice read");
        TableSchema after = plan.apply(closed, wanted);
        int added = after.family("new").orElseThrow().id();
        assertThat(after.access()).isEqualTo(access(writes, added, reads));
        assertThat(SchemaPlan.of(Optional.of(after), wanted).isEmpty()).isTrue();

        assertThat(texts(SchemaPlan.of(Optional.of(open), open.with(Optional.of(TableAccess.NOBODY)))))
                .containsExactly("rights of the table: everybody -> nobody");
        // What says nothing of rights changes none.
        assertThat(SchemaPlan.of(Optional.of(closed), open).isEmpty()).isTrue();
        assertThat(SchemaPlan.of(Optional.of(closed), open).apply(closed, open).access())
                .isEqualTo(closed.access());
    }

    private static Optional<TableAccess> access(AccessList table, int family, AccessList list) {
        return Optional.of(new TableAccess(table, new TreeMap<>(Map.of(family, list))));
    }

    @Test
    void everyDifferenceIsAStepAndAfterThemThereIsNone() {
        TableSchema wanted = TableSchema.draft("t")
                .durability(Durability.FLUSH)
                .family("kept", new GcRule.MaxVersions(1))
                .family("added", GcRule.KEEP_ALL)
                .timestamps("added", Timestamps.SERVER)
                .quotas(Quotas.NONE.table(OptionalLong.of(1_000)))
                .build();
        SchemaPlan plan = plan(wanted);
        assertThat(texts(plan))
                .containsExactly(
                        "DROP FAMILY dropped WITH ALL ITS CELLS, FOR GOOD",
                        "DROP WHAT A STRICTER RULE CALLS GARBAGE, FOR GOOD, change family kept: versions=3,group=big"
                                + " -> versions=1,group=default",
                        "add family added: all,group=default,timestamps=server",
                        "drop group big, which has no family then",
                        "durability: sync -> flush",
                        "quotas: none -> quota table 1000 bytes");
        assertThat(plan.drops()).isTrue();

        TableSchema after = plan.apply(PRESENT, wanted);
        assertThat(SchemaPlan.of(Optional.of(after), wanted).isEmpty()).isTrue();
        assertThat(after.family("kept").orElseThrow().id())
                .as("what a family holds hangs on its id")
                .isEqualTo(PRESENT.family("kept").orElseThrow().id());
        assertThat(PRESENT.family(after.family("added").orElseThrow().id()))
                .as("what a dropped family held stays gone")
                .isEmpty();
    }

    @Test
    void aStricterRuleDropsCellsAndALooserOneDoesNot() {
        for (GcRule looser : List.of(GcRule.KEEP_ALL, GcRule.versions(4))) {
            SchemaPlan plan = plan(PRESENT.change().garbage("kept", looser).build());
            assertThat(texts(plan)).singleElement().asString().startsWith("change family kept: versions=3,");
            assertThat(plan.drops()).isFalse();
        }
        for (GcRule stricter : List.of(GcRule.versions(2), GcRule.age(Duration.ofDays(9)))) {
            SchemaPlan plan = plan(PRESENT.change().garbage("kept", stricter).build());
            assertThat(texts(plan))
                    .singleElement()
                    .asString()
                    .startsWith("DROP WHAT A STRICTER RULE CALLS GARBAGE, FOR GOOD, change family kept: versions=3,");
            assertThat(plan.drops()).isTrue();
        }
    }

    @Test
    void aPlanForATableThatWasChangedSinceIsNotFollowed() {
        TableSchema wanted =
                PRESENT.change().garbage("kept", new GcRule.MaxVersions(1)).build();
        TableSchema meanwhile = PRESENT.change().dropFamily("dropped").build();
        assertThatThrownBy(() -> plan(wanted).apply(meanwhile, wanted))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("was changed after the plan was made");
    }
}
