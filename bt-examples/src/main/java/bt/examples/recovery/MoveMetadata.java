package bt.examples.recovery;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.client.TabletInfo;
import bt.metadata.MetadataSchema;

/** METADATA's tablets are moved to other servers, one after the other: a load, a flush or a new client needs them. */
final class MoveMetadata implements Event {
    @Override
    public Filling prepare(Scene scene) {
        return Filling.none();
    }

    @Override
    public void strike(Scene scene) throws BigtableException {
        String metadata = MetadataSchema.SCHEMA.name();
        for (TabletInfo tablet : scene.cluster().bigtable().table(metadata).tablets()) {
            Bytes row = tablet.range().start().successor();
            String from = tablet.server().orElse("");
            String to = scene.cluster().addresses().stream()
                    .filter(address -> !address.equals(from))
                    .findFirst()
                    .orElseThrow();
            scene.cluster().bigtable().admin().moveTablet(metadata, row, to);
        }
    }

    @Override
    public void restore(Scene scene) {}

    @Override
    public boolean isOfMetadata() {
        return true;
    }

    @Override
    public boolean isOfOneTablet() {
        return true;
    }
}
