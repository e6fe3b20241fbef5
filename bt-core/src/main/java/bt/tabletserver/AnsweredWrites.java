package bt.tabletserver;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.model.FamilySchema;
import bt.record.FileReference;
import bt.record.TabletState;
import bt.tablet.OpenWrites;
import bt.tablet.TabletContext;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Strikes files of open writes out of METADATA when nobody can ask for these any more. Of tablets with a promise, for the rows in them
 * may be deleted, and the next flush, which would do it too, may never come. And those that could not be read, or the tablet's next load
 * would have it take no writes for a while once more. Any thread.
 */
final class AnsweredWrites {
    private static final Logger log = LoggerFactory.getLogger(AnsweredWrites.class);

    /** The next look does what METADATA does not take. */
    private static final long METADATA_MILLIS = 2_000;

    private final TabletContext context;
    private final Clock clock;
    private final Pools pools;

    AnsweredWrites(TabletContext context, Pools pools) {
        this.context = context;
        this.pools = pools;
        this.clock = context.clock();
    }

    /** Returns at once; all tablets of a table may have some. */
    void look(HostedTablet hosted) {
        if (hasSomeToLeave(hosted)) {
            pools.strikes().ask(hosted, () -> hasSomeToLeave(hosted), () -> beginStriking(hosted));
        }
    }

    private boolean hasSomeToLeave(HostedTablet hosted) {
        return files(hosted).stream().anyMatch(file -> isToLeave(hosted, file));
    }

    /** On threads that wait for METADATA: no memtable that is to become a file stands behind it. */
    private CompletableFuture<Void> beginStriking(HostedTablet hosted) {
        return hosted.jobs()
                .submit(() -> strike(hosted), pools.idlePartings(hosted.id()))
                .whenComplete((done, failure) -> {
                    if (failure != null) {
                        log.warn("{}: open writes: {}", hosted.id(), failure.getMessage());
                    }
                });
    }

    /** As soon as nothing in it is open. */
    private boolean isToLeave(HostedTablet hosted, FileReference file) {
        if (hosted.unread().holds(file)) {
            return hosted.unread().areOver(clock.nanos());
        }
        return hosted.tablet().schema().families().stream()
                .map(FamilySchema::purgeMicros)
                .anyMatch(micros -> micros.isPresent());
    }

    /** One of the tablet's jobs, and so is an unload, after which the row is not ours. */
    private void strike(HostedTablet hosted) throws BigtableException, InterruptedException {
        List<FileReference> answered = new ArrayList<>();
        for (FileReference file : files(hosted)) {
            if (isToLeave(hosted, file) && (hosted.unread().holds(file) || isAnswered(hosted, file))) {
                answered.add(file);
            }
        }
        if (!answered.isEmpty() && !hosted.tablet().isClosed()) {
            hosted.row().serve(state -> without(answered, state), "no write is open", METADATA_MILLIS);
        }
    }

    private boolean isAnswered(HostedTablet hosted, FileReference file) throws BigtableException {
        return OpenWrites.read(List.of(file), hosted.tablet().range(), context).isEmpty();
    }

    private static List<FileReference> files(HostedTablet hosted) {
        return hosted.row().row().state().getFiles().stream()
                .filter(OpenWrites::isFile)
                .toList();
    }

    private static TabletState without(List<FileReference> answered, TabletState state) {
        List<FileReference> files = new ArrayList<>(state.getFiles());
        files.removeAll(answered);
        return TabletState.newBuilder(state).setFiles(files).build();
    }
}
