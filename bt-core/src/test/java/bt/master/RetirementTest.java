package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.metadata.MetadataRow;
import bt.metadata.TabletStates;
import bt.model.TabletId;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.record.Done;
import bt.record.Phase;
import bt.record.TabletLocation;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tablets of two dropped tables at one server. */
class RetirementTest {
    private static final Member SERVER = new Member("s", new Address("server", 1), 7, "");

    private MasterParts parts;
    private Retirement retirement;

    @BeforeEach
    void start() throws Exception {
        parts = new MasterParts();
        parts.cluster.listen(
                SERVER.address(),
                (caller, request) -> CompletableFuture.completedFuture(new Answer.Control(new Done())));
        retirement = new Retirement(
                parts.metadata,
                parts.cluster.scheduler,
                parts.graves,
                parts.orders,
                parts.assigner,
                parts.writes,
                parts.hindrances);
    }

    @AfterEach
    void stop() {
        parts.close();
    }

    /** Whoever brings tables back behind each drop, and has other tablets of them each time, would fill the master's memory. */
    @Test
    void whatWasAskedForOfATableThatCameBackIsForgotten() throws Exception {
        Sight sight = Sights.of(Map.of(SERVER, List.of()));
        retirement.begin();
        for (long table : List.of(4L, 5L)) {
            assertThat(retirement.retire(served(table, "m"), sight)).isFalse();
            assertThat(retirement.retire(served(table, "z"), sight)).isFalse();
        }
        assertThat(retirement.asked()).hasSize(4);
        retirement.keepOnlyOf(table -> table != 4);
        assertThat(retirement.asked()).hasSize(2).allMatch(id -> id.tableId() == 5);
    }

    private MetadataRow served(long table, String end) throws Exception {
        TabletId id = new TabletId(table, Optional.of(Bytes.utf8(end)));
        MetadataRow row = parts.metadata.create(id, TabletStates.empty(Optional.empty()), "created");
        TabletLocation location =
                new TabletLocation(Phase.SERVING, SERVER.id(), SERVER.address().toString(), SERVER.epoch());
        return parts.metadata.replace(row, location, row.state(), "serving");
    }
}
