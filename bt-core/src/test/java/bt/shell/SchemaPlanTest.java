package bt.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.Quotas;
import bt.model.TableSchema;
import bt.model.TableSchema.Durability;
import bt.model.Timestamps;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
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
                        "change family kept: versions=3,group=big -> versions=1,group=default",
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
    void aPlanForATableThatWasChangedSinceIsNotFollowed() {
        TableSchema wanted =
                PRESENT.change().garbage("kept", new GcRule.MaxVersions(1)).build();
        TableSchema meanwhile = PRESENT.change().dropFamily("dropped").build();
        assertThatThrownBy(() -> plan(wanted).apply(meanwhile, wanted))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("was changed after the plan was made");
    }
}
