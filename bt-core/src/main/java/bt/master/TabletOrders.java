package bt.master;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.base.Failures;
import bt.metadata.MetadataRow;
import bt.model.TabletId;
import bt.protocol.Answer;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.record.LoadTablet;
import bt.record.PassOn;
import bt.record.SplitTablet;
import bt.record.TabletLocation;
import bt.record.UnloadTablet;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a master tells tablet servers to do with a tablet, in the name of its epoch. METADATA has been written before, or the
 * server writes it, so a lost order is repeated by whoever gave it and a lost answer does no harm. Any thread.
 */
record TabletOrders(Network network, long requestMillis, long masterEpoch) {
    private static final Logger log = LoggerFactory.getLogger(TabletOrders.class);

    /** To load what the row, of this generation or the next, gives to the server. */
    CompletableFuture<Answer> load(MetadataRow row, Member target) {
        TabletId id = row.id();
        LoadTablet message = new LoadTablet(masterEpoch, id.tableId(), AvroBytes.buffer(id.endRow()), row.generation());
        return network.send(target.address(), new Request.Control(message), requestMillis);
    }

    /** To give the tablet up, to nobody or with METADATA naming where it goes next. */
    CompletableFuture<Answer> unload(
            TabletId id, Member holder, boolean flush, @Nullable TabletLocation next, long timeoutMillis) {
        UnloadTablet message = new UnloadTablet(masterEpoch, id.tableId(), AvroBytes.buffer(id.endRow()), flush, next);
        return network.send(holder.address(), new Request.Control(message), timeoutMillis);
    }

    /** The same to a holder that answers the witness and not us, which is to pass it on. */
    CompletableFuture<Answer> unloadBy(Member witness, TabletId id, Member holder, TabletLocation next) {
        UnloadTablet message = new UnloadTablet(masterEpoch, id.tableId(), AvroBytes.buffer(id.endRow()), true, next);
        Request order = new Request.Control(new PassOn(holder.address().toString(), message));
        return network.send(witness.address(), order, requestMillis);
    }

    /** To split the tablet behind the row; in the middle of its bytes, where there is none. */
    CompletableFuture<Answer> split(
            long tableId, TabletEnds.Bounds tablet, Optional<Bytes> row, Member holder, long timeoutMillis) {
        SplitTablet message = new SplitTablet(
                tableId,
                AvroBytes.buffer(tablet.previousEndRow()),
                AvroBytes.buffer(tablet.endRow()),
                AvroBytes.buffer(row),
                masterEpoch);
        return network.send(holder.address(), new Request.Control(message), timeoutMillis);
    }

    /** {@link #load}, of which a failure is told in the log. */
    void askToLoad(MetadataRow row, Member target) {
        CompletableFuture<?> unused = answered(load(row, target), "load", row.id(), target);
    }

    /** {@link #unload} to nobody, of which a failure is told in the log. Completes with whether the server has answered. */
    CompletableFuture<Boolean> askToUnload(TabletId id, Member holder, boolean flush) {
        return answered(unload(id, holder, flush, null, requestMillis), "unload", id, holder);
    }

    private static CompletableFuture<Boolean> answered(
            CompletableFuture<Answer> sent, String order, TabletId id, Member server) {
        return sent.handle((answer, failure) -> {
            if (failure != null) {
                log.warn(
                        "{} was asked to {} {}: {}; asked again",
                        server.id(),
                        order,
                        id,
                        Failures.unwrap(failure).getMessage());
            }
            return failure == null;
        });
    }
}
