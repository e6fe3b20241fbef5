package bt.master;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.OverloadedException;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.model.TabletId;
import bt.record.Done;
import bt.record.DrainServer;
import bt.record.MoveTablet;
import bt.record.ServerDraining;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What operators, and servers that are about to stop, ask of {@link Moves} and {@link Drains}. Owned by the master's thread. */
final class MoveCommands {
    private static final Logger log = LoggerFactory.getLogger(MoveCommands.class);

    /** That somebody waits for, at a time. Each has two servers at work for it, which load others' tablets too. */
    static final int MOST_ASKED = 200;

    private static final long AGAIN_MILLIS = 1_000;

    private final HostPlaces places = new HostPlaces(MOST_ASKED, "moves");
    private final MetadataTable metadata;
    private final Moves moves;
    private final Drains drains;

    MoveCommands(MetadataTable metadata, Moves moves, Drains drains) {
        this.metadata = metadata;
        this.moves = moves;
        this.drains = drains;
    }

    /** The answer to a host, when there is one; empty when the message is for somebody else. */
    Optional<CompletableFuture<? extends SpecificRecord>> begin(SpecificRecord message, String host, Sight sight)
            throws BigtableException, InterruptedException {
        if (message instanceof MoveTablet move) {
            return Optional.of(move(move, host, sight).thenApply(nothing -> new Done()));
        }
        if (message instanceof DrainServer drain) {
            return Optional.of(CompletableFuture.completedFuture(drain(drain, sight)));
        }
        return Optional.empty();
    }

    boolean isMoving() {
        return moves.size() > 0;
    }

    /** Whether the tablet is on its way. */
    boolean isMoving(TabletId tablet) {
        return moves.isUnderWay(tablet);
    }

    Set<String> draining() {
        return drains.ids();
    }

    /** True when a move has not ended as it should, and a pass should look why. */
    boolean look(Sight sight) throws BigtableException, InterruptedException {
        boolean failed = moves.look(sight);
        try {
            drains.look(sight);
        } catch (UnavailableException | OverloadedException unread) {
            // METADATA's own server may be the one that died. Only a pass has it served again, and no drain may prevent
            // that.
            log.debug("drains: {}", unread.getMessage());
            failed = true;
        }
        return failed;
    }

    private ServerDraining drain(DrainServer message, Sight sight) throws BigtableException {
        Member member = find(message.getServer(), sight);
        if (message.getUndo()) {
            drains.undo(member);
            return new ServerDraining(0, 0, true);
        }
        return drains.begin(member, sight);
    }

    /** A place is taken for as long as somebody is to be told of it. */
    private CompletableFuture<Void> move(MoveTablet message, String host, Sight sight)
            throws BigtableException, InterruptedException {
        TabletId id = new TabletId(message.getTableId(), AvroBytes.optionalBytes(message.getEndRow()));
        places.take(host, AGAIN_MILLIS);
        try {
            return move(id, found -> true, taker(message.getServer(), sight), sight)
                    .whenComplete((nothing, failure) -> places.giveBack(host));
        } catch (BigtableException | InterruptedException | RuntimeException failed) {
            places.giveBack(host);
            throw failed;
        }
    }

    /** False while it moves, or a move of it has failed a moment ago. */
    boolean mayBegin(TabletId tablet) {
        return moves.mayBegin(tablet);
    }

    /**
     * Completes once the target serves the tablet.
     *
     * @param isMeant of its row, for who knows the tablet from a while ago
     */
    CompletableFuture<Void> move(TabletId id, Predicate<MetadataRow> isMeant, Member target, Sight sight)
            throws BigtableException, InterruptedException {
        if (!sight.answered().containsKey(target)) {
            throw new UnavailableException(target.id() + " does not answer", Outcome.NOT_APPLIED);
        }
        MetadataRow row = metadata.read(id)
                .filter(found -> !found.gone() && isMeant.test(found))
                .orElseThrow(() ->
                        new UnavailableException(id.inWords() + " is not there: locate it again", Outcome.NOT_APPLIED));
        return moves.begin(row, target, sight);
    }

    /** The server of an id or address, if tablets may be moved to it. */
    static Member taker(String server, Sight sight) throws BigtableException {
        Member target = find(server, sight);
        checkTakes(target, sight);
        return target;
    }

    static void checkTakes(Member target, Sight sight) throws RejectedException {
        if (sight.draining().contains(target.id())) {
            throw new RejectedException(target.id() + " drains and takes no tablets", "undo that first");
        }
    }

    /** By its id, or by its address. */
    private static Member find(String server, Sight sight) throws BigtableException {
        if (sight.living().isEmpty()) {
            throw new UnavailableException("the master has not seen any tablet server yet", Outcome.NOT_APPLIED);
        }
        List<Member> named = sight.living().stream()
                .filter(member -> member.id().equals(server)
                        || member.address().toString().equals(server))
                .toList();
        if (named.size() != 1) {
            throw new RejectedException(
                    "no tablet server " + server + " is alive",
                    "name one of "
                            + sight.living().stream()
                                    .map(member -> member.address().toString())
                                    .collect(Collectors.joining(", ")));
        }
        return named.get(0);
    }
}
