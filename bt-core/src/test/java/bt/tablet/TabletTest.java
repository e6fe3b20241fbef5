package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.model.Cell;
import bt.model.CellKey;
import bt.model.CellKey.Kind;
import bt.model.ColumnKey;
import bt.model.Filter;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.testing.AtOnce;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class TabletTest {
    private static final TableSchema SCHEMA = RandomTable.schema(4);
    private static final ColumnKey COLUMN = ColumnKey.of("all", "q");

    private final TabletFixture fixture;

    TabletTest() throws BigtableException {
        fixture = new TabletFixture(SCHEMA);
    }

    @Test
    void aMutationIsVisibleOnceItIsPublishedAndThenAsAWhole() throws BigtableException {
        Tablet tablet = fixture.tablet;
        tablet.apply(resolved(put("a", 1, "x"), 1));
        tablet.apply(resolved(
                RowMutation.of("b").set("all", "q", "x").set("one", "q", "y").build(), 2));

        assertThat(values(RowRange.ALL)).isEmpty();
        tablet.publish(1);
        assertThat(values(RowRange.ALL)).containsExactly("x");
        tablet.publish(3);
        assertThat(values(RowRange.ALL)).containsExactly("x", "y", "x");
    }

    @Test
    void theReadPointStaysBelowTheTabletsOwnSequences() {
        fixture.tablet.publish(1000);

        assertThat(fixture.tablet.readPoint()).isZero();
    }

    @Test
    void clientTimestampsNeverMoveTheServers() throws BigtableException {
        fixture.apply(put("a", Long.MAX_VALUE, "x"));
        fixture.flush();
        fixture.reopen();

        assertThat(fixture.tablet.nextServerTimestamp(200)).isEqualTo(200);
    }

    @Test
    void aServerTimestampIsGivenOnceThoughTheClockGoesBackAndTheServerChanges() throws BigtableException {
        fixture.clock.set(900);
        fixture.apply(RowMutation.of("a").set("all", "q", "x").build());
        fixture.clock.set(100);
        assertThat(fixture.tablet.nextServerTimestamp(100)).isEqualTo(901);
        fixture.reopen();
        assertThat(fixture.tablet.nextServerTimestamp(100)).isEqualTo(901);
        fixture.flush();
        fixture.reopen();
        assertThat(fixture.tablet.nextServerTimestamp(100)).isGreaterThan(901);
    }

    /** Or what a promise counts from would be forgotten with the log that the change was in first. */
    @Test
    void aChangeThatIsLoggedAgainIsNoYoungerThanItWas() throws BigtableException {
        fixture.clock.set(500);
        fixture.apply(RowMutation.of("a").deleteRow().build());
        fixture.clock.set(600);
        fixture.apply(put("a", 7, "x"));
        fixture.clock.set(700);
        fixture.apply(RowMutation.of("b").set("all", "q", "y").build());
        fixture.apply(RowMutation.of("c").deleteColumn(COLUMN).build());

        assertThat(fixture.tablet.changes())
                .extracting(ResolvedMutation::timestamp)
                .containsExactly(500L, 600L, 700L, 701L);
    }

    @Test
    void theRedoPointIsTheHighestSequenceBeforeTheFreeze() throws BigtableException {
        fixture.apply(put("a", 1, "x"));
        fixture.apply(RowMutation.of("b").set("all", "q", "x").deleteRow().build());
        Frozen frozen = fixture.tablet.freeze().orElseThrow();
        fixture.apply(put("c", 1, "x"));

        assertThat(frozen.redoPoint()).isEqualTo(3);
        assertThat(fixture.tablet.lastSequence()).isEqualTo(4);
        assertThat(AtOnce.write(frozen, fixture.context))
                .allSatisfy(file -> assertThat(file.getLargestSequence()).isEqualTo(3));
    }

    @Test
    void anEmptyMemtableIsNotFrozen() {
        assertThat(fixture.tablet.freeze()).isEmpty();
    }

    @Test
    void whetherARowHasChangedIsToldWhereverTheChangeIs() throws BigtableException {
        fixture.apply(put("a", 1, "x"));
        fixture.apply(RowMutation.of("b").deleteRow().build());
        fixture.flush();
        fixture.apply(put("c", 1, "x"));
        fixture.freeze();
        fixture.apply(put("c", 1, "x"));
        fixture.apply(put("d", 1, "x"));

        assertThat(lastUnchanged("a")).as("a file is not looked into").isEqualTo(2);
        assertThat(lastUnchanged("b")).isEqualTo(2);
        assertThat(lastUnchanged("c")).isEqualTo(4);
        assertThat(lastUnchanged("d")).isEqualTo(5);
        assertThat(lastUnchanged("e")).as("nor is one without a filter").isLessThanOrEqualTo(2);
    }

    /** The lowest sequence from which on the row has not changed. */
    private long lastUnchanged(String row) throws BigtableException {
        for (long sequence = 0; sequence <= 10; sequence++) {
            if (!fixture.tablet.mayHaveChangedSince(sequence, Bytes.utf8(row))) {
                return sequence;
            }
        }
        throw new AssertionError(row + " changes for ever");
    }

    @Test
    void aReadEndsWithTheTabletAndSaysWhereTheNextOneBegins() throws BigtableException {
        TabletFixture middle = new TabletFixture(SCHEMA, Optional.of(Bytes.utf8("f")), Optional.of(Bytes.utf8("m")));
        middle.apply(put("m", 1, "x"));

        Page page = middle.tablet.read(ReadSpec.of(RowRange.from(Bytes.utf8("g")), Filter.ALL));

        assertThat(page.cells()).hasSize(1);
        assertThat(page.next()).contains(Bytes.utf8("m").successor());
        assertThatThrownBy(() -> middle.tablet.read(ReadSpec.of(RowRange.from(Bytes.utf8("f")), Filter.ALL)))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("the tablet that ends with row m does not hold row f");
        assertThatThrownBy(() -> middle.apply(put("n", 1, "x"))).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aClosedTabletIsUnavailable() throws BigtableException {
        fixture.apply(put("a", 1, "x"));
        fixture.flush();
        fixture.tablet.close();
        fixture.tablet.close();

        assertThatThrownBy(() -> values(RowRange.ALL))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("the last tablet is closed here");
    }

    @Test
    void anUnknownFamilyInAFilterIsRejected() {
        Filter filter = new Filter.Chain(List.of(new Filter.Latest(1), new Filter.Families(List.of("al"))));

        assertThatThrownBy(() -> fixture.tablet.read(ReadSpec.of(RowRange.ALL, filter)))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("has no family al: it has one, all, young, both");
    }

    @Test
    void aReadGoesOnOnlyAfterACellOfItsRow() {
        Bytes key = new CellKey(Bytes.utf8("b"), 2, Optional.of(Bytes.EMPTY), 1, 1, Kind.PUT).encode();
        for (Bytes after : List.of(key, Bytes.utf8("nonsense"))) {
            ReadSpec spec = new ReadSpec(
                    RowRange.from(Bytes.utf8("a")),
                    Filter.ALL,
                    PageLimits.DEFAULT,
                    Optional.of(new Resume(after, 1, 1)));
            assertThatThrownBy(() -> fixture.tablet.read(spec)).isInstanceOf(RejectedException.class);
        }
    }

    @Test
    void aKindThatIsBeyondThisVersionIsRefused() throws BigtableException {
        CellKey operand = new CellKey(Bytes.utf8("a"), 2, Optional.of(Bytes.EMPTY), 1, 1, Kind.MERGE);
        fixture.tablet.apply(
                new ResolvedMutation(operand.row(), 1, 0, List.of(new Entry(operand.encode(), Bytes.EMPTY))));
        fixture.tablet.publish(1);

        assertThatThrownBy(() -> values(RowRange.ALL))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("MERGE");
    }

    @Test
    void onlyTheOwnerThreadWrites() throws InterruptedException {
        fixture.tablet.nextServerTimestamp(1);
        assertThat(publishedElsewhere()).isFalse();
        fixture.tablet.passOn();
        assertThat(publishedElsewhere()).isTrue();
    }

    private boolean publishedElsewhere() throws InterruptedException {
        AtomicBoolean published = new AtomicBoolean();
        Thread other = new Thread(() -> {
            try {
                fixture.tablet.publish(1);
                published.set(true);
            } catch (IllegalStateException e) {
                assertThat(e).hasMessageContaining("belongs to another thread");
            }
        });
        other.start();
        other.join();
        return published.get();
    }

    private static RowMutation put(String row, long timestamp, String value) {
        return RowMutation.of(row).set(COLUMN, timestamp, Bytes.utf8(value)).build();
    }

    private static ResolvedMutation resolved(RowMutation mutation, long sequence) throws RejectedException {
        return Resolver.resolve(mutation, SCHEMA, sequence, 500);
    }

    private List<String> values(RowRange range) throws BigtableException {
        return fixture.tablet.read(ReadSpec.of(range, Filter.ALL)).cells().stream()
                .map(Cell::value)
                .map(Bytes::toUtf8)
                .toList();
    }
}
