package bt.metadata;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.coord.Paths;
import bt.model.Bloom;
import bt.model.FamilySchema;
import bt.model.GcRule;
import bt.model.LocalityGroup;
import bt.model.Right;
import bt.model.TableSchema;
import bt.model.Timestamps;
import bt.record.FamilyRecord;
import bt.record.TablePhase;
import bt.record.TableRecord;
import bt.testing.MemoryLocks;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
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

    /** Each tablet of a server keeps what was seen when it was loaded, for as long as it is served. */
    @Test
    void aTableThatIsTheSameIsTheSameObjectHoweverItIsLookedFor() throws Exception {
        MemoryLocks locks = new MemoryLocks();
        String path = Paths.table(7);
        locks.create(path, file(1));
        Schemas schemas = new Schemas(locks);
        TableSchema first = schemas.refresh(7).orElseThrow();
        assertThat(first.family("anchor").orElseThrow().localityGroup())
                .isSameAs(first.group("default").name());
        assertThat(seen(schemas)).allSatisfy(seen -> assertThat(seen).isSameAs(first));

        locks.write(path, file(2), locks.read(path).orElseThrow().version());
        assertThat(schemas.known(7)).containsSame(first);
        TableSchema second = schemas.refreshEach(List.of(7L)).get(0).orThrow().orElseThrow();
        assertThat(second.version()).isEqualTo(2);
        assertThat(seen(schemas)).allSatisfy(seen -> assertThat(seen).isSameAs(second));

        TableRecord dropped =
                TableRecord.newBuilder(record(2)).setPhase(TablePhase.DROPPED).build();
        locks.write(
                path, TableFile.encode(dropped), locks.read(path).orElseThrow().version());
        assertThat(schemas.refresh(7)).isEmpty();
        assertThat(schemas.known(7)).isEmpty();
        locks.write(path, file(2), locks.read(path).orElseThrow().version());
        assertThat(schemas.refresh(7)).contains(second);
        locks.delete(path);
        assertThat(schemas.all()).isEmpty();
        assertThat(schemas.known(7)).isEmpty();
    }

    /** Of another file its version says nothing. */
    @Test
    void aFileThatWasMadeAnewIsRead() throws Exception {
        MemoryLocks locks = new MemoryLocks();
        String path = Paths.table(7);
        locks.create(path, file(1));
        Schemas schemas = new Schemas(locks);
        assertThat(schemas.byId(7).map(TableSchema::version)).contains(1L);
        locks.delete(path);
        locks.create(path, file(2));
        assertThat(schemas.refresh(7).map(TableSchema::version)).contains(2L);
    }

    private static List<TableSchema> seen(Schemas schemas) throws BigtableException {
        return List.of(
                schemas.refresh(7).orElseThrow(),
                schemas.refreshEach(List.of(7L)).get(0).orThrow().orElseThrow(),
                schemas.all().get(0),
                schemas.byName("webtable").orElseThrow(),
                schemas.find("webtable").orElseThrow(),
                schemas.byId(7).orElseThrow(),
                schemas.known(7).orElseThrow());
    }

    private static Bytes file(long version) {
        return TableFile.encode(record(version));
    }

    private static TableRecord record(long version) {
        return TableRecord.newBuilder(Schemas.encode(WEBTABLE))
                .setId(7)
                .setVersion(version)
                .build();
    }

    @Test
    void aRecordThatIsNoSchemaIsRejectedWithTheReason() throws Exception {
        TableRecord wrong = TableRecord.newBuilder(Schemas.encode(WEBTABLE))
                .setNextFamilyId(1)
                .build();
        assertThatThrownBy(() -> Schemas.decode(wrong))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("webtable: family id 1 is not given yet");
        TableRecord many = TableRecord.newBuilder(Schemas.encode(WEBTABLE))
                .setNextFamilyId(502)
                .setFamilies(IntStream.rangeClosed(1, 501)
                        .mapToObj(
                                i -> FamilyRecord.newBuilder(wrong.getFamilies().get(0))
                                        .setId(i)
                                        .setName("f" + i)
                                        .build())
                        .toList())
                .build();
        TableSchema wide = Schemas.decode(many);
        assertThat(wide.families()).hasSize(501);
        Schemas.checkFamilies(wide, 501);
        assertThatThrownBy(() -> Schemas.checkFamilies(wide, 0))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("webtable has 501 families, more than 500: use fewer of them");
    }
}
