package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.coord.LockService;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.metadata.Schemas;
import bt.model.GcRule;
import bt.model.Quotas;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.record.FamilyBytes;
import bt.record.Phase;
import bt.record.QuotaStand;
import bt.record.ServerStatus;
import bt.record.TablePhase;
import bt.record.TableRecord;
import bt.record.TableShares;
import bt.record.TableUsage;
import bt.record.TabletReport;
import bt.record.UserBytes;
import bt.record.UserShare;
import bt.testing.MemoryLocks;
import bt.testing.SimScheduler;
import bt.testing.SlowLocks;
import java.time.Duration;
import java.util.AbstractMap;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the ledger of a shared table says while servers die and tablets are on their way. */
class UsageTest {
    private static final long TABLE = 5;
    private static final TabletId FIRST = new TabletId(TABLE, Optional.of(Bytes.utf8("m")));
    private static final TabletId LAST = new TabletId(TABLE, Optional.empty());
    private static final Member ONE = member("one", 1);
    private static final Member TWO = member("two", 2);

    private final MemoryLocks locks = new MemoryLocks();
    private final Usage usage = new Usage(locks, new SimScheduler(1));
    private final TableRecord table = table("f", "g");
    private final int f = table.getFamilies().get(0).getId();

    @Test
    void theDeathOfAServerTakesNothingFromTheLedger() {
        look(Map.of(ONE, holds(List.of(LAST), shares(300, put("alice", 300)))), LAST);
        assertThat(stand()).isEqualTo(stand(300, "alice", 300));
        // The dead are not among the living any more, and the pass that finds their tablets unserved is still to come.
        look(Map.of(TWO, status(TWO, List.of(), List.of())), LAST);
        assertThat(stand()).isEqualTo(stand(300, "alice", 300));
        look(Map.of(TWO, holds(List.of(LAST), shares(300))), LAST);
        assertThat(stand()).isEqualTo(stand(300, "alice", 300));
    }

    @Test
    void aTabletThatIsLoadedTakesWhatItTookBefore() {
        look(Map.of(ONE, holds(List.of(LAST), shares(300, put("alice", 300)))), LAST);
        look(Map.of(TWO, status(TWO, List.of(report(LAST, Phase.LOADING, 0)), List.of())), LAST);
        assertThat(stand()).isEqualTo(stand(300, "alice", 300));
    }

    @Test
    void aTabletThatTwoAnswerForIsThereOnce() {
        look(Map.of(ONE, holds(List.of(LAST), shares(300, put("alice", 300)))), LAST);
        Map<Member, ServerStatus> both = new LinkedHashMap<>();
        both.put(ONE, holds(List.of(LAST), shares(300, put("alice", 300))));
        both.put(TWO, holds(List.of(LAST), shares(300)));
        look(both, LAST);
        assertThat(stand()).isEqualTo(stand(300, "alice", 300));
    }

    @Test
    void aLoadThatFailedHidesNothingOfWhoeverServesTheTabletNow() {
        Map<Member, ServerStatus> both = new LinkedHashMap<>();
        TabletReport failed = report(LAST, Phase.LOADING, 0);
        failed.setFailure("a test");
        both.put(ONE, status(ONE, List.of(failed), List.of()));
        look(both, LAST);
        both.put(TWO, holds(List.of(LAST), shares(300, put("alice", 300))));
        look(both, LAST);
        assertThat(stand()).isEqualTo(stand(300, "alice", 300));
        both.put(TWO, holds(List.of(LAST), shares(100, put("alice", 300))));
        ServerStatus shrunk =
                status(TWO, List.of(report(LAST, Phase.SERVING, 100)), List.of(shares(100, put("alice", 300))));
        both.put(TWO, shrunk);
        look(both, LAST);
        assertThat(stand()).isEqualTo(stand(100, "alice", 100));
    }

    @Test
    void aServerThatDoesNotKnowOfTheQuotasYetTakesNothingFromTheLedger() {
        Map<Member, ServerStatus> both = new LinkedHashMap<>();
        both.put(ONE, holds(List.of(FIRST), shares(300, put("alice", 300))));
        both.put(TWO, holds(List.of(LAST), shares(300, put("alice", 300))));
        look(both, FIRST, LAST);
        assertThat(stand()).isEqualTo(stand(600, "alice", 600));
        both.put(TWO, status(TWO, List.of(report(LAST, Phase.SERVING, 300)), List.of()));
        look(both, FIRST, LAST);
        assertThat(stand()).isEqualTo(stand(600, "alice", 600));
    }

    @Test
    void aServerMayBeginToCountAnew() {
        look(Map.of(ONE, holds(List.of(LAST), shares(400, put("alice", 300), put("bob", 100)))), LAST);
        look(Map.of(ONE, holds(List.of(LAST), shares(500, put("alice", 100)))), LAST);
        assertThat(stand().getUsers()).containsExactly(new UserBytes("alice", 400L), new UserBytes("bob", 100L));
    }

    @Test
    void whatIsSeenWholeIsWhatIsTakenAlsoAfterASplit() {
        look(Map.of(ONE, holds(List.of(LAST), shares(300, put("alice", 300)))), LAST);
        ServerStatus split = status(
                ONE,
                List.of(report(FIRST, Phase.SERVING, 60), report(LAST, Phase.SERVING, 40)),
                List.of(shares(100, put("alice", 300))));
        look(Map.of(ONE, split), LAST);
        assertThat(stand()).isEqualTo(stand(100, "alice", 100));
    }

    @Test
    void aFamilyThatTheTableHasNoMoreIsForgotten() {
        look(Map.of(ONE, holds(List.of(LAST), shares(300, put("alice", 300)))), LAST);
        TableShares none = new TableShares(TABLE, List.of(), List.of(put("alice", 300)));
        Sight sight = sight(Map.of(ONE, status(ONE, List.of(report(LAST, Phase.SERVING, 0)), List.of(none))));
        TableRecord without = table("g");
        without.getFamilies().get(0).setId(f + 1);
        without.setNextFamilyId(f + 2);
        usage.look(Map.of(TABLE, without), Map.of(TABLE, Set.of(LAST)), sight, true, true);
        assertThat(stand()).isEqualTo(new QuotaStand(TABLE, 0L, List.of()));
    }

    @Test
    void aNewMasterSaysNothingBeforeItKnowsWhatTheLastOneKeptAndThenNoLess() {
        look(Map.of(ONE, holds(List.of(LAST), shares(300, put("alice", 300)))), LAST);
        Usage next = new Usage(locks, new SimScheduler(1));
        assertThat(next.stands()).isNull();
        // No server has answered it yet.
        next.look(Map.of(TABLE, table), Map.of(TABLE, Set.of(LAST)), sight(Map.of()), false, true);
        assertThat(next.stands()).containsExactly(stand(300, "alice", 300));
    }

    @Test
    void whatATableTookIsKeptWhileANewMasterCannotReadItsFile() throws BigtableException {
        look(Map.of(ONE, holds(List.of(LAST), shares(300, put("alice", 300)))), LAST);
        String ledger = Paths.USAGE + "/" + TABLE;
        assertThat(locks.read(ledger)).isPresent();
        Sight sight = sight(Map.of(ONE, holds(List.of(LAST), shares(300))));
        new Usage(locks, new SimScheduler(1)).look(Map.of(), Map.of(), sight, true, false);
        assertThat(locks.read(ledger)).isPresent();
        locks.create(Paths.USAGE + "/nobody's", Bytes.EMPTY);
        new Usage(locks, new SimScheduler(1)).look(Map.of(), Map.of(), sight, true, true);
        assertThat(locks.children(Paths.USAGE)).isEmpty();
    }

    /** It kept what all tables take from being known, for ever. */
    @Test
    void aLedgerThatIsDamagedIsBegunAnewAndKeepsNoOtherTableWaiting() throws BigtableException {
        look(Map.of(ONE, holds(List.of(LAST), shares(300, put("alice", 300)))), LAST);
        String ledger = Paths.usage(TABLE);
        locks.write(
                ledger,
                Bytes.utf8("no ledger"),
                locks.read(ledger).orElseThrow().version());
        TableRecord other =
                TableRecord.newBuilder(table).setId(TABLE + 1).setName("other").build();
        TabletId all = new TabletId(TABLE + 1, Optional.empty());
        ServerStatus holds = status(
                ONE,
                List.of(report(LAST, Phase.SERVING, 300), report(all, Phase.SERVING, 70)),
                List.of(shares(300, put("alice", 200))));
        Usage next = new Usage(locks, new SimScheduler(1));
        next.look(
                Map.of(TABLE, table, TABLE + 1, other),
                Map.of(TABLE, Set.of(LAST), TABLE + 1, Set.of(all)),
                sight(Map.of(ONE, holds)),
                true,
                true);
        assertThat(Objects.requireNonNull(next.stands()))
                .containsExactly(stand(300, "alice", 200), new QuotaStand(TABLE + 1, 70L, List.of()));
        assertThat(next.problems())
                .singleElement()
                .asString()
                .startsWith("table shared: " + ledger)
                .endsWith("what its users take is counted anew, what they had put before is nobody's");
        // The master after it goes on from there.
        Usage third = new Usage(locks, new SimScheduler(1));
        third.look(Map.of(TABLE, table), Map.of(TABLE, Set.of(LAST)), sight(Map.of(ONE, holds)), false, true);
        assertThat(third.stands()).containsExactly(stand(300, "alice", 200));
        assertThat(third.problems()).isEmpty();
    }

    @Test
    void aLookGoesThroughTheTabletsOnceHoweverManyTablesHaveQuotas() {
        Map<Long, TableRecord> active = new LinkedHashMap<>();
        Map<Long, Set<TabletId>> tablets = new LinkedHashMap<>();
        Walks reports = new Walks();
        for (long id = TABLE; id < TABLE + 100; id++) {
            active.put(id, TableRecord.newBuilder(table).setId(id).build());
            TabletId tablet = new TabletId(id, Optional.empty());
            tablets.put(id, Set.of(tablet));
            reports.put(tablet, report(tablet, Phase.SERVING, id));
        }
        ServerStatus status = status(ONE, List.of(), List.of());
        Sight sight = new Sight(List.of(ONE), List.of(), Map.of(ONE, Poll.Holdings.of(status, reports)), Set.of());
        int before = reports.walks;
        usage.look(active, tablets, sight, true, true);
        assertThat(usage.stands()).extracting(QuotaStand::getBytes).containsExactlyElementsOf(active.keySet());
        assertThat(reports.walks - before).isEqualTo(1);
    }

    /** Each file is waited for, and whoever dies meanwhile is looked for when the look is over. */
    @Test
    void aLookWritesForASecondAndTheNextGoesOn() {
        Map<Long, TableRecord> active = new LinkedHashMap<>();
        Map<Long, Set<TabletId>> tablets = new LinkedHashMap<>();
        for (long id = TABLE; id < TABLE + 2_000; id++) {
            active.put(id, TableRecord.newBuilder(table).setId(id).build());
            tablets.put(id, Set.of(new TabletId(id, Optional.empty())));
        }
        SimScheduler scheduler = new SimScheduler(1);
        scheduler.run(Duration.ofMinutes(5), () -> {
            LockService slow = new SlowLocks(locks, scheduler, 2);
            Usage first = new Usage(slow, scheduler);
            // The files come, the files change, and so do those that no table has any more.
            assertThat(looksUntilKept(first, scheduler, active, tablets, 300)).isBetween(2, 10);
            assertThat(looksUntilKept(first, scheduler, active, tablets, 400)).isBetween(2, 10);
            Usage next = new Usage(slow, scheduler);
            assertThat(looksUntilKept(next, scheduler, active, tablets, 400))
                    .as("what the last master kept is read together and not written again")
                    .isEqualTo(1);
            active.keySet().removeIf(id -> id >= TABLE + 1_000);
            assertThat(looksUntilKept(next, scheduler, active, tablets, 500)).isBetween(1, 10);
            for (int i = 0; i < 10; i++) {
                look(next, scheduler, active, tablets, 500);
                scheduler.pause(1_000);
            }
            assertThat(locks.children(Paths.USAGE)).hasSize(1_000);
        });
    }

    private int looksUntilKept(
            Usage of,
            SimScheduler scheduler,
            Map<Long, TableRecord> active,
            Map<Long, Set<TabletId>> tablets,
            long bytes)
            throws InterruptedException {
        // The next round begins behind this.
        scheduler.pause(5_000);
        for (int looks = 1; ; looks++) {
            look(of, scheduler, active, tablets, bytes);
            boolean areKept = true;
            for (long id : active.keySet()) {
                areKept &= keeps(id, bytes);
            }
            if (areKept || looks == 20) {
                return looks;
            }
            scheduler.pause(1_000);
        }
    }

    private boolean keeps(long id, long bytes) {
        Optional<SmallFile> file = locks.read(Paths.usage(id));
        try {
            return file.isPresent()
                    && AvroBytes.decode("usage", file.get().content(), TableUsage.class)
                                    .getBytes()
                            == bytes;
        } catch (CorruptionException damaged) {
            throw new AssertionError(damaged);
        }
    }

    private static void look(
            Usage of,
            SimScheduler scheduler,
            Map<Long, TableRecord> active,
            Map<Long, Set<TabletId>> tablets,
            long bytes) {
        List<TabletReport> reports = active.keySet().stream()
                .map(id -> report(new TabletId(id, Optional.empty()), Phase.SERVING, bytes))
                .toList();
        long begun = scheduler.clock().nanos();
        of.look(active, tablets, sight(Map.of(ONE, status(ONE, reports, List.of()))), true, true);
        assertThat(scheduler.clock().nanos() - begun).isLessThan(1_100_000_000L);
        assertThat(of.stands()).hasSameSizeAs(active.keySet());
    }

    /** Counts how often somebody goes through all of it. */
    private static final class Walks extends AbstractMap<TabletId, TabletReport> {
        private final Map<TabletId, TabletReport> reports = new LinkedHashMap<>();
        private int walks;

        @Override
        public TabletReport put(TabletId tablet, TabletReport report) {
            return reports.put(tablet, report);
        }

        @Override
        public Set<Entry<TabletId, TabletReport>> entrySet() {
            walks++;
            return reports.entrySet();
        }
    }

    private void look(Map<Member, ServerStatus> answers, TabletId... tablets) {
        usage.look(Map.of(TABLE, table), Map.of(TABLE, Set.of(tablets)), sight(answers), true, true);
    }

    private static Sight sight(Map<Member, ServerStatus> answers) {
        Map<Member, Poll.Holdings> answered = new LinkedHashMap<>();
        answers.forEach((member, status) -> {
            status.setServer(member.id());
            status.setEpoch(member.epoch());
            answered.put(member, Poll.Holdings.of(status));
        });
        return new Sight(new ArrayList<>(answers.keySet()), List.of(), answered, Set.of());
    }

    private QuotaStand stand() {
        return Objects.requireNonNull(usage.stands()).get(0);
    }

    private static QuotaStand stand(long bytes, String user, long ofUser) {
        return new QuotaStand(TABLE, bytes, List.of(new UserBytes(user, ofUser)));
    }

    /** Serves these tablets, each of which takes 300 bytes. */
    private static ServerStatus holds(List<TabletId> tablets, TableShares shares) {
        List<TabletReport> reports = new ArrayList<>();
        tablets.forEach(id -> reports.add(report(id, Phase.SERVING, 300)));
        return status(ONE, reports, List.of(shares));
    }

    private static ServerStatus status(Member member, List<TabletReport> tablets, List<TableShares> shares) {
        return ServerStatus.newBuilder()
                .setServer(member.id())
                .setEpoch(member.epoch())
                .setLockHeld(true)
                .setPid(1)
                .setTablets(tablets)
                .setShares(shares)
                .build();
    }

    private static TabletReport report(TabletId id, Phase phase, long bytes) {
        return new TabletReport(
                id.tableId(),
                AvroBytes.buffer(id.endRow()),
                phase,
                0L,
                bytes,
                1,
                null,
                false,
                0L,
                -1L,
                -1L,
                null,
                null,
                0L);
    }

    private TableShares shares(long bytes, UserShare... puts) {
        return new TableShares(TABLE, List.of(new FamilyBytes(f, bytes)), List.of(puts));
    }

    private UserShare put(String user, long bytes) {
        return new UserShare(f, user, bytes);
    }

    private static TableRecord table(String... families) {
        TableSchema.Builder draft = TableSchema.draft("shared").quotas(Quotas.NONE.eachUser(OptionalLong.of(1_000)));
        for (String family : families) {
            draft.family(family, GcRule.KEEP_ALL);
        }
        return TableRecord.newBuilder(Schemas.encode(draft.build()))
                .setId(TABLE)
                .setVersion(1)
                .setPhase(TablePhase.ACTIVE)
                .build();
    }

    private static Member member(String id, long epoch) {
        return new Member(id, new Address(id, 1), epoch, "");
    }
}
