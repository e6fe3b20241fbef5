package bt.doctor;

import bt.metadata.MetadataSchema;
import bt.model.RowRange;
import java.util.List;
import java.util.Optional;

/** 8: every row of METADATA can be read. What its own tablets break of the other rules is told as the eighth as well. */
final class DamagedRows implements Invariant<DamagedRow> {
    @Override
    public List<Finding> check(DamagedRow row) {
        Place place = new Place(MetadataSchema.SCHEMA.name(), Optional.of(RowRange.row(row.key())), "");
        return List.of(new Finding(Rule.METADATA, place, row.why()));
    }
}
