package bt.master;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.metadata.MetadataRow;
import bt.metadata.MetadataTable;
import bt.model.TabletId;
import bt.record.MoveTablet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import org.apache.avro.specific.SpecificRecord;

/** What operators ask of {@link Moves}. Owned by the master's thread. */
final class MoveCommands {
    private final MetadataTable metadata;
    private final Moves moves;

    MoveCommands(MetadataTable metadata, Moves moves) {
        this.metadata = metadata;
        this.moves = moves;
    }

    /** Completes when it is done; empty when the message is for somebody else. */
    Optional<CompletableFuture<Void>> begin(SpecificRecord message, Sight sight)
            throws BigtableException, InterruptedException {
        return message instanceof MoveTablet move ? Optional.of(move(move, sight)) : Optional.empty();
    }

    /** True when a move has not ended as it should, and a pass should look why. */
    boolean look(Sight sight) {
        return moves.look(sight);
    }

    private CompletableFuture<Void> move(MoveTablet message, Sight sight)
            throws BigtableException, InterruptedException {
        TabletId id = new TabletId(message.getTableId(), AvroBytes.optionalBytes(message.getEndRow()));
        Member target = find(message.getServer(), sight);
        if (!sight.answered().containsKey(target)) {
            throw new UnavailableException(target.id() + " does not answer", Outcome.NOT_APPLIED);
        }
        MetadataRow row = metadata.read(id)
                .filter(found -> !found.gone())
                .orElseThrow(
                        () -> new UnavailableException(id + " is not there: locate it again", Outcome.NOT_APPLIED));
        return moves.begin(row, target, sight);
    }

    /** By its id, or by its address. */
    private static Member find(String server, Sight sight) throws RejectedException {
        List<Member> named = sight.living().stream()
                .filter(member -> member.id().equals(server)
                        || member.address().toString().equals(server))
                .toList();
        if (named.size() != 1) {
            throw new RejectedException("no tablet server " + server + " is alive: name one of "
                    + sight.living().stream()
                            .map(member -> member.address().toString())
                            .collect(Collectors.joining(", ")));
        }
        return named.get(0);
    }
}
