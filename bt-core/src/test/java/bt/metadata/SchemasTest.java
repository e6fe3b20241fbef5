package bt.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.RejectedException;
import bt.model.Bloom;
import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.Right;
import bt.model.TableSchema;
import bt.model.Timestamps;
import bt.record.TableRecord;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SchemasTest {
    private static final TableSchema WEBTABLE = TableSchema.draft("webtable")
            .group(new LocalityGroup("pages", 128 << 10, "zstd", false, new Bloom(12, true)))
            .family("contents", "pages", new GcRule.MaxVersions(3))
            .family("anchor", GcRule.KEEP_ALL)
            .family(
                    "language",
                    new GcRule.Any(List.of(
                            new GcRule.MaxAge(7_000_000),
                            new GcRule.Every(List.of(new GcRule.MaxVersions(2), new GcRule.MaxAge(9))))))
            .purge("language", FamilySchema.MIN_PURGE_MICROS)
            .timestamps("anchor", Timestamps.CLIENT)
            .durability(TableSchema.Durability.FLUSH)
            .build()
            .change()
            .grant("alice", Set.of(Right.READ, Right.ADMIN), Optional.empty())
            .grant("*", Set.of(Right.SCRIPT), Optional.of("anchor"))
            .build();

    @Test
    void aSchemaComesBackFromItsRecord() throws Exception {
        assertThat(Schemas.decode(Schemas.encode(WEBTABLE))).isEqualTo(WEBTABLE);
    }

    @Test
    void aRecordThatIsNoSchemaIsRejectedWithTheReason() {
        TableRecord wrong = TableRecord.newBuilder(Schemas.encode(WEBTABLE))
                .setNextFamilyId(1)
                .build();
        assertThatThrownBy(() -> Schemas.decode(wrong))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("webtable: family id 1 is not given yet");
    }
}
