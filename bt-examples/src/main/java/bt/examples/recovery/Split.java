package bt.examples.recovery;

import bt.base.BigtableException;
import bt.base.Bytes;
import java.util.List;

/** A tablet is split in two. */
final class Split implements Event {
    private static final String PREFIX = TrialTable.prefixes().get(0);

    @Override
    public Filling prepare(Scene scene) {
        return new Filling(List.of(PREFIX), scene.fillingBytes() / 8);
    }

    @Override
    public void strike(Scene scene) throws BigtableException {
        // Between what was filled in and the row that is probed, so that the probe finds its tablet gone.
        scene.cluster().bigtable().admin().splitTablet(scene.table().name(), Bytes.utf8(PREFIX + "/m"));
    }

    @Override
    public void restore(Scene scene) {}

    @Override
    public boolean isOfOneTablet() {
        return true;
    }
}
