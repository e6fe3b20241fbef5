package bt.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.command.UsageException;
import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.SchemaChange;
import bt.model.TableSchema;
import bt.model.Timestamps;
import org.junit.jupiter.api.Test;

class FamilyTextTest {
    private static final long DAY_MICROS = 86_400_000_000L;

    private TableSchema schema = TableSchema.draft("t")
            .family("f", new GcRule.MaxVersions(3))
            .purge("f", DAY_MICROS)
            .build();

    private FamilySchema changed(String text) throws UsageException {
        SchemaChange change = schema.change();
        FamilyText.parse(text).change(change);
        return change.build().family("f").orElseThrow();
    }

    @Test
    void aPromiseIsKeptUnlessAnotherIsGivenOrItIsTakenBack() throws UsageException {
        assertThat(changed("f:versions=5").purgeMicros()).hasValue(DAY_MICROS);
        assertThat(changed("f:purge=2d").purgeMicros()).hasValue(2 * DAY_MICROS);
        assertThat(changed("f:purge=none").purgeMicros()).isEmpty();
        assertThat(changed("f:purge=none").garbage()).isEqualTo(new GcRule.MaxVersions(3));
    }

    @Test
    void aFamilyThatIsAddedWithoutAPromiseHasNone() throws UsageException {
        TableSchema.Builder draft = TableSchema.draft("t");
        FamilyText.parse("f:purge=none").addTo(draft);
        assertThat(draft.build().family("f").orElseThrow().purgeMicros()).isEmpty();
    }

    @Test
    void whoGivesTimestampsIsKeptUnlessItIsSaidAgain() throws UsageException {
        schema = schema.change().timestamps("f", Timestamps.SERVER).build();
        assertThat(changed("f:versions=5").timestamps()).isEqualTo(Timestamps.SERVER);
        assertThat(FamilyText.timestamps(changed("f:versions=5"))).contains("server");
        assertThat(changed("f:timestamps=client").timestamps()).isEqualTo(Timestamps.CLIENT);
        assertThat(FamilyText.timestamps(changed("f:timestamps=either"))).isEmpty();
        assertThatThrownBy(() -> FamilyText.parse("f:timestamps=mine")).isInstanceOf(UsageException.class);
    }

    @Test
    void whatIsTooMuchOrTooLittleIsSaidToBeThat() {
        assertThatThrownBy(() -> FamilyText.parse("web:versions=0"))
                .isInstanceOf(UsageException.class)
                .hasMessage("family web:versions=0: at least one version is kept, not 0: drop the family, or delete its"
                        + " cells");
        assertThatThrownBy(() -> FamilyText.parse("web:versions=2147483648"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("2147483648 versions, at most 2147483647 are counted");
        assertThatThrownBy(() -> FamilyText.parse("web:ttl=5000000d"))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("\"5000000d\" is too long an age: at most 999999d");
        assertThatThrownBy(() -> FamilyText.parse("web:ttl=0d")).hasMessageContaining("is no age");
    }

    @Test
    void whatIsNoAgeIsRefused() {
        assertThatThrownBy(() -> FamilyText.parse("f:purge=never")).isInstanceOf(UsageException.class);
    }
}
