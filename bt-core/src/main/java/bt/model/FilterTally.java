package bt.model;

/**
 * What a filter has come to that is read part by part, from bytes or text: no more than it will be when it is whole, by
 * {@link FilterSize}, and refused as that is, at the first piece too many, before more is made. One thread. The paper
 * has no such bounds.
 */
public final class FilterTally {
    private int parts;
    private long bytes;
    private long steps;

    /**
     * One more that is neither chain nor interleaving, of which some stand in others and are none. IllegalArgumentException
     * beyond {@link Limits}.
     */
    public void part() {
        parts++;
        FilterSize.checkParts(parts);
        add(FilterSize.PART_BYTES);
    }

    /** An operand of so many bytes. IllegalArgumentException beyond {@link Limits}. */
    public void operand(long operandBytes) {
        add(FilterSize.OPERAND_BYTES + operandBytes);
    }

    /** The steps of a regular expression. IllegalArgumentException beyond {@link Limits}. */
    public void steps(int regexSteps) {
        steps += regexSteps;
        FilterSize.checkSteps(steps);
    }

    /** Of parts and operands so far, as {@link FilterSize#bytes} counts them. */
    public long bytes() {
        return bytes;
    }

    private void add(long more) {
        bytes += more;
        FilterSize.checkBytes(bytes);
    }
}
