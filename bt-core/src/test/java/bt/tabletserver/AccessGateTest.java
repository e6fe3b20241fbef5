package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.metadata.ClusterAccess;
import bt.metadata.MetadataSchema;
import bt.metadata.Schemas;
import bt.model.AccessList;
import bt.model.Filter;
import bt.model.GcRule;
import bt.model.Right;
import bt.model.TableAccess;
import bt.model.TableSchema;
import bt.record.CheckTable;
import bt.record.FlushTable;
import bt.record.SplitTablet;
import bt.tablet.Shown;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Of a server whose owner is bt, in a cluster that ada administers, with a table that alice does. */
class AccessGateTest {
    private static final AccessList ADA = AccessList.NOBODY.grant("ada", Set.of(Right.ADMIN));
    private static final TableSchema HERS = TableSchema.draft("hers")
            .family("f", GcRule.KEEP_ALL)
            .build()
            .with(Optional.of(new TableAccess(AccessList.NOBODY.grant("alice", Set.of(Right.ADMIN)), new TreeMap<>())));
    private static final TableSchema OF_NOBODY =
            TableSchema.draft("everybodys").family("f", GcRule.KEEP_ALL).build();
    private final AccessGate gate = new AccessGate("bt", () -> new ClusterAccess(Optional.of(ADA), 1));

    static List<SpecificRecord> orders() {
        return List.of(new FlushTable(7L), new SplitTablet(7L, null, null, null, -1L));
    }

    @ParameterizedTest
    @MethodSource("orders")
    void whoAdministersATableOrTheClusterGivesOrders(SpecificRecord order) {
        for (String user : List.of("alice", "ada", "bt")) {
            assertThatCode(() -> gate.checkControl(user, order, () -> Optional.of(HERS)))
                    .doesNotThrowAnyException();
        }
        assertThatThrownBy(() -> gate.checkControl("bob", order, () -> Optional.of(HERS)))
                .isInstanceOf(RejectedException.class);
    }

    /** A server takes no commands of masters before the latest that it has heard of. */
    @ParameterizedTest
    @ValueSource(longs = {0, 7, 1L << 62})
    void whoAdministersATableIsNoMaster(long epoch) {
        SplitTablet split = new SplitTablet(7L, null, null, null, epoch);
        assertThatThrownBy(() -> gate.checkControl("alice", split, () -> Optional.of(HERS)))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("has not the right admin");
        for (String user : List.of("ada", "bt")) {
            assertThatCode(() -> gate.checkControl(user, split, () -> Optional.of(HERS)))
                    .doesNotThrowAnyException();
        }
    }

    /** A table's description takes much of a server to look at; the master alone has it looked at. */
    @Test
    void aTableIsCheckedForTheClusterAlone() {
        CheckTable check = new CheckTable(Schemas.encode(HERS));
        for (String user : List.of("ada", "bt")) {
            assertThatCode(() -> gate.checkControl(user, check, Optional::empty))
                    .doesNotThrowAnyException();
        }
        for (String user : List.of("alice", "bob")) {
            assertThatThrownBy(() -> gate.checkControl(user, check, Optional::empty))
                    .isInstanceOf(RejectedException.class)
                    .hasMessageContaining("has not the right admin");
        }
    }

    /** The tablet may have left after the client looked it up: whose table it is, the next server knows. */
    @ParameterizedTest
    @MethodSource("orders")
    void whereNoTabletOfTheTableIsServedItsAdministratorIsToldToLookAgain(SpecificRecord order) {
        assertThatThrownBy(() -> gate.checkControl("alice", order, Optional::empty))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("locate it again");
        for (String user : List.of("ada", "bt")) {
            assertThatCode(() -> gate.checkControl(user, order, Optional::empty))
                    .doesNotThrowAnyException();
        }
    }

    @ParameterizedTest
    @MethodSource("filtersWithAScript")
    void everybodyReadsMetadataAndRunsNoScriptsThere(Filter script) throws Exception {
        assertThat(gate.shown("bob", MetadataSchema.SCHEMA, Filter.ALL)).isEqualTo(Shown.ALL);
        assertThat(gate.shown("bob", OF_NOBODY, script)).isEqualTo(Shown.ALL);
        for (String user : List.of("ada", "bt")) {
            assertThat(gate.shown(user, MetadataSchema.SCHEMA, script)).isEqualTo(Shown.ALL);
        }
        assertThatThrownBy(() -> gate.shown("bob", MetadataSchema.SCHEMA, script))
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("user bob has not the right admin");
        AccessGate inAClusterWithoutList = new AccessGate("bt", () -> new ClusterAccess(Optional.empty(), 1));
        assertThat(inAClusterWithoutList.shown("bob", MetadataSchema.SCHEMA, script))
                .isEqualTo(Shown.ALL);
        AccessGate unaware = new AccessGate("bt", () -> ClusterAccess.UNKNOWN);
        assertThatThrownBy(() -> unaware.shown("bob", MetadataSchema.SCHEMA, script))
                .isInstanceOf(UnavailableException.class);
    }

    static List<Filter> filtersWithAScript() {
        Filter script = new Filter.Script("groovy", "true", Bytes.EMPTY);
        return List.of(
                script,
                new Filter.Chain(List.of(new Filter.Latest(1), script)),
                new Filter.Condition(script, Filter.ALL, Filter.NONE));
    }
}
