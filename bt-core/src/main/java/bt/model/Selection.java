package bt.model;

import static bt.base.Check.checkGiven;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * What a read wants of its rows, through whichever door it comes, in this order however it was said: as of a time, which
 * is only the versions up to it, included; what {@code cells} lets pass of them; the newest {@code versions} of each
 * column, which is 1 where there is a time and no number; and of these what {@code rest} lets pass, which therefore never
 * brings an older version to light by refusing the newest. Whoever makes one whose filter is too large gets an
 * IllegalArgumentException at once. Section 3 of the paper has such limits of a scan.
 */
public record Selection(OptionalLong asOf, Filter cells, OptionalInt versions, Filter rest) {
    /** Everything. */
    public static final Selection ALL =
            new Selection(OptionalLong.empty(), Filter.ALL, OptionalInt.empty(), Filter.ALL);

    private static final int MOST_PARTS = 4;

    public Selection {
        int most = versions.orElse(1);
        checkGiven(most > 0, "the latest %d versions", "ask for 1 at least", most);
        Filter unused = chain(asOf, cells, versions, rest);
    }

    /** Of what passes so far only what the filter lets pass, before versions are counted. */
    public Selection passing(Filter filter) {
        return filter.equals(Filter.ALL) ? this : new Selection(asOf, both(cells, filter), versions, rest);
    }

    /** Of the versions that are left only what the filter lets pass. */
    public Selection then(Filter filter) {
        return new Selection(asOf, cells, versions, both(rest, filter));
    }

    /** As of a time, in microseconds since 1970 where servers give timestamps; of several the earliest. */
    public Selection asOf(long timestamp) {
        return new Selection(OptionalLong.of(Math.min(timestamp, asOf.orElse(timestamp))), cells, versions, rest);
    }

    /** So many versions of each column at most, 1 at least; of several numbers the smallest. */
    public Selection versions(int most) {
        return new Selection(asOf, cells, OptionalInt.of(Math.min(most, versions.orElse(most))), rest);
    }

    /** All of it as one filter. */
    public Filter filter() {
        return chain(asOf, cells, versions, rest);
    }

    private static Filter chain(OptionalLong asOf, Filter cells, OptionalInt versions, Filter rest) {
        // Every read makes one: streams would be half of what a read leaves to the garbage collector.
        List<Filter> parts = new ArrayList<>(MOST_PARTS);
        if (asOf.isPresent()) {
            parts.add(new Filter.Times(Long.MIN_VALUE, asOf.getAsLong()));
        }
        addUnlessAll(cells, parts);
        if (versions.isPresent() || asOf.isPresent()) {
            parts.add(new Filter.Latest(versions.orElse(1)));
        }
        addUnlessAll(rest, parts);
        return Filter.chain(parts);
    }

    private static Filter both(Filter first, Filter second) {
        List<Filter> parts = new ArrayList<>(MOST_PARTS);
        addUnlessAll(first, parts);
        addUnlessAll(second, parts);
        return Filter.chain(parts);
    }

    private static void addUnlessAll(Filter part, List<Filter> parts) {
        if (!part.equals(Filter.ALL)) {
            parts.add(part);
        }
    }
}
