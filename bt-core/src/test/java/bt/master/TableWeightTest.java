package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.metadata.TableFile;
import bt.record.AccessRight;
import bt.record.FamilyRecord;
import bt.record.FamilyRights;
import bt.record.GroupRecord;
import bt.record.QuotaRecord;
import bt.record.RuleKind;
import bt.record.RuleRecord;
import bt.record.TableAccessRecord;
import bt.record.TablePhase;
import bt.record.TableRecord;
import bt.record.UserBytes;
import bt.record.UserRights;
import java.util.List;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Descriptions of tables that take much memory for a short file: their weight is what they take, or more. */
class TableWeightTest {
    private static final int MANY = 9_990;

    /** So much of descriptions is read that what else the JVM does meanwhile is little beside it. */
    private static final long FILE_BYTES = 4_000_000;

    @BeforeAll
    static void trust() {
        AvroBytes.trustRecords();
    }

    static Stream<TableRecord> records() {
        return Stream.of(
                table("families").setFamilies(each(TableWeightTest::family)).build(),
                table("long names")
                        .setFamilies(each(i -> FamilyRecord.newBuilder(family(i))
                                .setName("n".repeat(60) + i)
                                .build()))
                        .build(),
                table("rules")
                        .setFamilies(List.of(FamilyRecord.newBuilder(family(1))
                                .setGarbage(RuleRecord.newBuilder(keepAll())
                                        .setKind(RuleKind.ANY)
                                        .setRules(each(i -> keepAll()))
                                        .build())
                                .build()))
                        .build(),
                table("groups").setGroups(each(TableWeightTest::group)).build(),
                table("quotas")
                        .setQuotas(QuotaRecord.newBuilder()
                                .setUsers(each(i -> new UserBytes(name(i), 1L)))
                                .build())
                        .build(),
                table("users")
                        .setAccess(TableAccessRecord.newBuilder()
                                .setUsers(each(i -> new UserRights(name(i), List.of(AccessRight.READ))))
                                .build())
                        .build(),
                table("rights")
                        .setAccess(TableAccessRecord.newBuilder()
                                .setUsers(List.of(new UserRights("u", each(i -> AccessRight.READ))))
                                .build())
                        .build(),
                table("families with rights")
                        .setAccess(TableAccessRecord.newBuilder()
                                .setFamilies(each(i -> new FamilyRights(i, List.of())))
                                .build())
                        .build());
    }

    private static TableRecord.Builder table(String name) {
        return TableRecord.newBuilder()
                .setId(7)
                .setName(name)
                .setVersion(1)
                .setNextFamilyId(MANY + 1)
                .setSync(false)
                .setPhase(TablePhase.ACTIVE)
                .setFamilies(List.of())
                .setGroups(List.of());
    }

    private static <T> List<T> each(IntFunction<T> part) {
        return IntStream.rangeClosed(1, MANY).mapToObj(part).toList();
    }

    private static String name(int number) {
        return Integer.toString(number, Character.MAX_RADIX);
    }

    private static RuleRecord keepAll() {
        return RuleRecord.newBuilder()
                .setKind(RuleKind.KEEP_ALL)
                .setRules(List.of())
                .build();
    }

    private static FamilyRecord family(int id) {
        return FamilyRecord.newBuilder()
                .setId(id)
                .setName(name(id))
                .setLocalityGroup("default")
                .setGarbage(keepAll())
                .build();
    }

    private static GroupRecord group(int number) {
        return GroupRecord.newBuilder()
                .setName(name(number))
                .setBlockBytes(65_536)
                .setCodec("none")
                .setInMemory(false)
                .setBloomBitsPerRow(10)
                .build();
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("records")
    void isWhatARecordTakesOrMoreAndNotMuchMore(TableRecord table) throws Exception {
        Bytes file = TableFile.encode(table);
        TableRecord[] read = new TableRecord[(int) (FILE_BYTES / file.length())];
        TableFile.decode("file", file);
        long before = usedBytes();
        for (int i = 0; i < read.length; i++) {
            read[i] = TableFile.decode("file", file);
        }
        long each = (usedBytes() - before) / read.length;
        assertThat(read).doesNotContainNull();
        assertThat(TableWeight.of(table, file.length()))
                .as("%s: %d bytes of a file, %d of memory", table.getName(), file.length(), each)
                .isBetween(each + file.length(), 5 * each);
    }

    private static long usedBytes() {
        for (int i = 0; i < 3; i++) {
            System.gc();
        }
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
