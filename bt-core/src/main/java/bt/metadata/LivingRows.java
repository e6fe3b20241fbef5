package bt.metadata;

import bt.model.Filter;
import java.util.List;

/** The rows of METADATA that are not marked gone, for who has them and not their meaning. */
public final class LivingRows {
    /** Shows one cell of each, and nothing of others; all that it looks at is of the family in memory. */
    public static final Filter FILTER = new Filter.Condition(
            MetadataRowCodec.GONE_ROWS, new Filter.None(), new Filter.Columns(List.of(MetadataSchema.BEFORE_COLUMN)));

    private LivingRows() {}
}
