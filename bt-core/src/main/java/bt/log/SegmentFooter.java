package bt.log;

import bt.base.CorruptionException;
import bt.base.Input;
import bt.base.Output;

/**
 * What a closed segment ends with, framed as a batch: u64 records, u64 lowest and u64 highest first sequence among them
 * (both 0 when there are none). A segment that has it is whole.
 */
record SegmentFooter(long records, long lowestSequence, long highestSequence) {
    static final SegmentFooter EMPTY = new SegmentFooter(0, 0, 0);

    SegmentFooter with(long sequence) {
        return with(new SegmentFooter(1, sequence, sequence));
    }

    SegmentFooter with(SegmentFooter more) {
        if (records == 0 || more.records == 0) {
            return records == 0 ? more : this;
        }
        return new SegmentFooter(
                records + more.records,
                Math.min(lowestSequence, more.lowestSequence),
                Math.max(highestSequence, more.highestSequence));
    }

    void encode(Output out) {
        out.u64(records).u64(lowestSequence).u64(highestSequence);
    }

    static SegmentFooter decode(Input in) throws CorruptionException {
        SegmentFooter footer =
                new SegmentFooter(in.u64("records"), in.u64("lowest sequence"), in.u64("highest sequence"));
        in.end("the footer");
        return footer;
    }
}
