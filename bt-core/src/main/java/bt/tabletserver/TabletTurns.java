package bt.tabletserver;

import bt.model.TableSchema;
import bt.model.TabletId;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Jobs of tablets that nobody waits for, and that whoever wants them asks for again at its next look: few are under way at once,
 * in turns of tables, so what else their threads have to do, and another table's, stands behind few of them, however many tablets
 * of one table want theirs at a time. Of a tablet one waits, or is under way. METADATA's, which are few and have threads of their
 * own, take no turn. Any thread.
 */
final class TabletTurns {
    private final FewAtOnce turns;

    /** Of which one waits for its turn, or has not ended. */
    private final Set<TabletId> asked = ConcurrentHashMap.newKeySet();

    TabletTurns(FewAtOnce turns) {
        this.turns = turns;
    }

    /**
     * Returns at once. {@code work}, which does too and throws nothing, is begun when the tablet's turn has come, if it is still
     * here and wants it; not at all where too much waits.
     */
    void ask(HostedTablet hosted, BooleanSupplier isWanted, Supplier<CompletableFuture<Void>> work) {
        TabletId id = hosted.id();
        if (!asked.add(id)) {
            return;
        }
        if (id.tableId() == TableSchema.METADATA_ID) {
            CompletableFuture<?> unused = begin(id, work);
            return;
        }
        CompletableFuture<?> unused = turns.begin("table " + id.tableId(), () -> {
                    if (hosted.tablet().isClosed() || !isWanted.getAsBoolean()) {
                        asked.remove(id);
                        return CompletableFuture.completedFuture(null);
                    }
                    // Where it stands behind something else, for however long, it keeps no place from others.
                    boolean isHeldUp = !hosted.jobs().areIdle()
                            || hosted.merging().flushTrouble().isNow();
                    CompletableFuture<Void> begun = begin(id, work);
                    return isHeldUp ? CompletableFuture.completedFuture(null) : begun;
                })
                .exceptionally(refused -> {
                    asked.remove(id);
                    return null;
                });
    }

    /** Whoever begins it says so where it fails. */
    private CompletableFuture<Void> begin(TabletId id, Supplier<CompletableFuture<Void>> work) {
        return work.get().handle((done, failure) -> {
            asked.remove(id);
            return null;
        });
    }
}
