package bt.metadata;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.record.Intent;
import bt.record.Phase;
import bt.record.TabletLocation;
import bt.record.TabletState;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a METADATA row of a new tablet holds. */
public final class TabletStates {
    /** An intent of the user alone: nothing is to be completed. */
    private static final String KEEP = "keep";

    private TabletStates() {}

    /** A tablet without files that begins after {@code previousEndRow}, or is its table's first. */
    public static TabletState empty(Optional<Bytes> previousEndRow) {
        return TabletState.newBuilder()
                .setPreviousEndRow(AvroBytes.buffer(previousEndRow))
                .setFiles(List.of())
                .setLogs(List.of())
                .setIntents(List.of())
                .setBulkLoads(List.of())
                .build();
    }

    /** The same of a tablet whose end row a user gave: tablets are not merged across it unless a user asks for it. */
    public static TabletState keptEndRow(TabletState state) {
        if (keepsEndRow(state)) {
            return state;
        }
        List<Intent> intents = new ArrayList<>(state.getIntents());
        ByteBuffer none = AvroBytes.buffer(Bytes.EMPTY);
        intents.add(new Intent(KEEP, none, 0L, none, none));
        return TabletState.newBuilder(state).setIntents(intents).build();
    }

    public static boolean keepsEndRow(TabletState state) {
        return state.getIntents().stream().anyMatch(intent -> intent.getKind().equals(KEEP));
    }

    /** Whether a change of this row and another is half done. */
    public static boolean isHalfDone(TabletState state) {
        return state.getIntents().stream().anyMatch(intent -> !intent.getKind().equals(KEEP));
    }

    /**
     * Whether a server has served the tablet, or one that it was made of, since its table came to be, or back: it says in the row with
     * which schema.
     */
    public static boolean wasServed(TabletState state) {
        return state.getSchemaVersion() > 0;
    }

    /** The state of a tablet that nobody has, and whose table came back with this version: a new one's, unless it was served since. */
    public static TabletState returned(TabletState state, long version) {
        return state.getSchemaVersion() >= version
                ? state
                : TabletState.newBuilder(state).setSchemaVersion(0).build();
    }

    /** The state of a tablet that a server with this version of its table gives up. */
    public static TabletState servedWith(TabletState state, long version) {
        return state.getSchemaVersion() >= version
                ? state
                : TabletState.newBuilder(state).setSchemaVersion(version).build();
    }

    /** Nobody's. */
    public static TabletLocation unassigned() {
        return new TabletLocation(Phase.UNASSIGNED, "", "", 0L);
    }
}
