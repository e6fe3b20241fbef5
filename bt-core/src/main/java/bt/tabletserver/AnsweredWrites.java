package bt.tabletserver;

import bt.base.BigtableException;
import bt.model.FamilySchema;
import bt.model.TabletId;
import bt.record.FileReference;
import bt.record.TabletState;
import bt.tablet.OpenWrites;
import bt.tablet.TabletContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Strikes files of open writes out of METADATA when nobody can ask for these any more, of tablets with a promise: the rows
 * in them may be deleted, and the next flush, which would do it too, may never come. Any thread.
 */
final class AnsweredWrites {
    private static final Logger log = LoggerFactory.getLogger(AnsweredWrites.class);

    /** The next look does what METADATA does not take. */
    private static final long METADATA_MILLIS = 2_000;

    private final TabletContext context;
    private final Set<TabletId> busy = ConcurrentHashMap.newKeySet();

    AnsweredWrites(TabletContext context) {
        this.context = context;
    }

    /** Returns at once. */
    void look(HostedTablet hosted) {
        boolean promised = hosted.tablet().schema().families().stream()
                .map(FamilySchema::purgeMicros)
                .anyMatch(micros -> micros.isPresent());
        if (promised && !files(hosted).isEmpty() && busy.add(hosted.id())) {
            CompletableFuture<?> unused = hosted.jobs()
                    .submit(() -> strike(hosted))
                    .whenComplete((done, failure) -> {
                        busy.remove(hosted.id());
                        if (failure != null) {
                            log.warn("{}: open writes: {}", hosted.id(), failure.getMessage());
                        }
                    });
        }
    }

    /** One of the tablet's jobs, and so is an unload, after which the row is not ours. */
    private void strike(HostedTablet hosted) throws BigtableException, InterruptedException {
        List<FileReference> answered = new ArrayList<>();
        for (FileReference file : files(hosted)) {
            if (OpenWrites.read(List.of(file), hosted.tablet().range(), context).isEmpty()) {
                answered.add(file);
            }
        }
        if (!answered.isEmpty() && !hosted.tablet().isClosed()) {
            hosted.row().serve(state -> without(answered, state), "no write is open", METADATA_MILLIS);
        }
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
