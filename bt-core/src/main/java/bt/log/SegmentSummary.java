package bt.log;

import java.util.OptionalLong;

/**
 * What a segment was found to hold. Only a stream's last segment may be open; what its writer did not finish begins at
 * {@code tornAt}, was never acknowledged, and was not delivered.
 */
public record SegmentSummary(long segment, long records, boolean closed, OptionalLong tornAt) {}
