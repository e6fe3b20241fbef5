package bt.tabletserver;

import bt.base.Failures;
import bt.base.RejectedException;
import bt.base.Scheduler;
import bt.metadata.MetadataSchema;
import bt.model.TableSchema;
import bt.model.TabletId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has tablets split that have grown too large, in the middle of their bytes. A tablet that has no middle, as one of a giant
 * row, is looked at again when it has grown by half. And tablets that get far more requests than their share, which the
 * master tells, at a row that halves them, if there is one ({@link RowSamples}), which is looked for once they get a quarter of
 * that ({@link SampledTraffic}); the halves begin to count anew, so they rest for two windows. It looks from a timer of the
 * server, one look at a time.
 */
final class SplitWatch {
    private static final Logger log = LoggerFactory.getLogger(SplitWatch.class);
    private static final long EVERY_MILLIS = 1_000;
    private static final long RETRY_MILLIS = 10_000;

    /** A half that is smaller is not worth a split: it would soon be too small. */
    private static final double LEAST_SHARE = 0.125;

    private final Scheduler scheduler;
    private final TabletSet tablets;
    private final Splitter splitter;
    private final TabletMemory memory;
    private final SplitConfig config;

    /** Splits that were asked for and have not ended, or failed a moment ago. */
    private final Set<TabletId> busy = ConcurrentHashMap.newKeySet();

    /** Of tablets without a middle, the bytes from which on they are looked at again. */
    private final Map<TabletId, Long> unsplittable = new ConcurrentHashMap<>();

    private volatile long requestsPerMinute;
    private volatile long metadataRequestsPerMinute;
    private volatile Optional<String> noRoom = Optional.empty();
    private volatile boolean stopped;

    SplitWatch(Scheduler scheduler, TabletSet tablets, Splitter splitter, TabletMemory memory, SplitConfig config) {
        this.scheduler = scheduler;
        this.tablets = tablets;
        this.splitter = splitter;
        this.memory = memory;
        this.config = config;
    }

    void start() {
        scheduler.after(EVERY_MILLIS, this::look);
    }

    void stop() {
        stopped = true;
    }

    /** From the master: a tablet of users with more requests is too busy, and one of METADATA; 0: none is. */
    void splitFrom(long requests, long ofMetadata) {
        requestsPerMinute = requests;
        metadataRequestsPerMinute = ofMetadata;
    }

    /** From the master: why tablets of users are not split because somebody asks; until it says otherwise. */
    void refuseAsked(Optional<String> why) {
        noRoom = why;
    }

    /** REJECTED where the master has no room for another tablet. */
    void checkRoom(TabletId tablet) throws RejectedException {
        Optional<String> why = noRoom;
        if (why.isPresent() && tablet.tableId() != TableSchema.METADATA_ID) {
            throw new RejectedException(
                    tablet.inWords() + " is not split: " + why.get(), "have it split when there is room");
        }
    }

    private void look() {
        if (stopped) {
            return;
        }
        try {
            lookAtAll();
        } finally {
            scheduler.after(EVERY_MILLIS, this::look);
        }
    }

    private void lookAtAll() {
        List<HostedTablet> all = tablets.all().stream()
                .flatMap(holding -> holding.tablet().stream())
                .toList();
        SampledTraffic.choose(
                all.stream()
                        .map(hosted -> new SampledTraffic.Share(hosted.traffic(), tooMuch(hosted.id())))
                        .toList(),
                scheduler.clock().nanos());
        Map<TabletId, Long> here = new HashMap<>();
        for (HostedTablet hosted : all) {
            long bytes = hosted.tablet().sizes().fileBytes();
            here.put(hosted.id(), bytes);
            if (isTooLarge(hosted.id(), bytes)) {
                split(hosted, middle(hosted.id(), bytes));
            } else if (isTooBusy(hosted)) {
                hosted.traffic()
                        .half(scheduler.clock().nanos())
                        .ifPresent(row -> split(hosted, new SplitRow.Busy(row)));
            }
        }
        unsplittable.keySet().retainAll(here.keySet());
    }

    private boolean isTooLarge(TabletId id, long bytes) {
        long bound = id.tableId() == TableSchema.METADATA_ID ? config.metadataBytes() : config.bytes();
        return !id.equals(MetadataSchema.ROOT) && bytes > bound && bytes > unsplittable.getOrDefault(id, 0L);
    }

    private boolean isTooBusy(HostedTablet hosted) {
        long bound = tooMuch(hosted.id());
        return bound > 0 && hosted.traffic().perMinute(scheduler.clock().nanos()) > bound;
    }

    /** So many requests a minute; 0: however many, it is not split for them. */
    private long tooMuch(TabletId id) {
        if (id.equals(MetadataSchema.ROOT)) {
            return 0;
        }
        return id.tableId() == TableSchema.METADATA_ID ? metadataRequestsPerMinute : requestsPerMinute;
    }

    /** Told by who looks for it: of a split that is refused nobody could say afterwards whether it was for the want of a middle, or of memory. */
    private SplitRow middle(TabletId id, long bytes) {
        return new SplitRow.Middle(LEAST_SHARE, () -> unsplittable.put(id, bytes + bytes / 2));
    }

    private void split(HostedTablet hosted, SplitRow where) {
        // Before a file is written for it; of a server that is full its problems tell.
        if (memory.whyNotSplit(hosted.row().row(), hosted.tablet().propertiesBytes())
                        .isPresent()
                || !busy.add(hosted.id())) {
            return;
        }
        CompletableFuture<?> unused = splitter.split(hosted, where).whenComplete((row, failure) -> {
            if (failure == null) {
                busy.remove(hosted.id());
                return;
            }
            log.info(
                    "{} is not split: {}", hosted.id(), Failures.unwrap(failure).getMessage());
            scheduler.after(RETRY_MILLIS, () -> busy.remove(hosted.id()));
        });
    }
}
