package bt.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.command.UsageException;
import bt.model.Bloom;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.TableSchema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GroupTextTest {
    @Test
    void everyPartHasItsWord() throws UsageException {
        assertThat(GroupText.parse("pages:codec=zstd,block=128k,bloom=row+column:12,in-memory"))
                .isEqualTo(new LocalityGroup("pages", 128 << 10, "zstd", true, new Bloom(12, true)));
        assertThat(GroupText.parse("pages:block=2000,bloom=none"))
                .isEqualTo(new LocalityGroup("pages", 2_000, "lz4", false, Bloom.NONE));
    }

    @Test
    void whatIsNotSaidIsAsInTheDefaultGroup() throws UsageException {
        assertThat(GroupText.parse("default")).isEqualTo(LocalityGroup.DEFAULT);
        assertThat(GroupText.parse("flags:in-memory"))
                .isEqualTo(new LocalityGroup("flags", 64 << 10, "lz4", true, Bloom.ROW));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a:codec=lz4,block=65536,bloom=row",
                "a:codec=zstd,block=1024,bloom=row+column:16,in-memory",
                "a:codec=none,block=4194304,bloom=none"
            })
    void theTextComesBack(String text) throws UsageException {
        assertThat("a:" + GroupText.of(GroupText.parse(text))).isEqualTo(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a:",
                "a:x",
                "a:codec",
                "a:codec=",
                "a:block=",
                "a:block=1m",
                "a:bloom=all",
                "a:bloom=row:",
                "a:in-memory=no"
            })
    void whatIsNoGroupIsRefusedWithTheForm(String text) {
        assertThatThrownBy(() -> GroupText.parse(text))
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("\"" + text + "\" is no locality group: write NAME[:codec=NAME]");
    }

    @Test
    void aFamilySaysItsGroup() throws UsageException {
        TableSchema.Builder draft = TableSchema.draft("t").group(GroupText.parse("flags:in-memory"));
        FamilyText.parse("seen:versions=1,group=flags").addTo(draft);
        FamilyText.parse("other:group=flags").addTo(draft);
        FamilyText.parse("plain:ttl=7d").addTo(draft);
        TableSchema schema = draft.build();
        assertThat(schema.family("seen").orElseThrow().localityGroup()).isEqualTo("flags");
        assertThat(schema.family("seen").orElseThrow().garbage()).isEqualTo(new GcRule.MaxVersions(1));
        assertThat(schema.family("other").orElseThrow().garbage()).isEqualTo(GcRule.KEEP_ALL);
        assertThat(schema.family("plain").orElseThrow().localityGroup()).isEqualTo("default");
    }

    @Test
    void aFamilySaysByWhenDeletedDataIsOffTheDisk() throws UsageException {
        TableSchema.Builder draft = TableSchema.draft("t");
        FamilyText.parse("logs:ttl=7d,purge=1d").addTo(draft);
        FamilyText.parse("plain").addTo(draft);
        TableSchema schema = draft.build();
        assertThat(schema.family("logs").orElseThrow().purgeMicros()).hasValue(86_400_000_000L);
        assertThat(FamilyText.purge(schema.family("logs").orElseThrow())).contains("1d");
        assertThat(FamilyText.purge(schema.family("plain").orElseThrow())).isEmpty();
    }

    @Test
    void aPromiseThatCannotBeKeptIsRefused() {
        assertThatThrownBy(() -> FamilyText.parse("logs:purge=29m").addTo(TableSchema.draft("t")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("within 30 minutes or more");
    }
}
