package bt.protocol;

import bt.base.BigtableException;
import bt.base.Input;
import bt.base.Output;
import bt.model.Change;
import bt.model.Limits;
import bt.protocol.Condition.Newest;
import bt.protocol.Condition.Passes;
import bt.protocol.Condition.Seen;
import bt.protocol.Condition.Shows;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A write's {@link Condition}: 0 for none, or the number of its kind and its fields; and lists of changes. */
final class ConditionCodec {
    /** Where there is none, instead of the number of a kind. */
    static final int NONE = 0;

    /** The length of a filter, its kind, a digest. */
    private static final int LEAST_SEEN_BYTES = 1 + 1 + RowDigest.BYTES;

    /** In memory, of a change, beside its bytes on the wire, of which it has views. */
    private static final int CHANGE_BYTES = 100;

    private ConditionCodec() {}

    static void encode(Optional<Condition> condition, Output out) {
        out.u8(condition.map(present -> present.kind().number()).orElse(NONE));
        if (condition.isPresent()) {
            switch (condition.get().kind()) {
                case NEWEST -> {
                    Newest newest = (Newest) condition.get();
                    Fields.column(newest.column(), out);
                    Fields.optional(newest.value(), out);
                }
                case PASSES -> {
                    Passes passes = (Passes) condition.get();
                    FilterCodec.encode(passes.filter(), out);
                    out.u8(passes.wanted() ? 1 : 0);
                    encode(passes.otherwise(), out);
                }
                case SHOWS -> {
                    List<Seen> seen = ((Shows) condition.get()).seen();
                    out.varint(seen.size());
                    for (Seen each : seen) {
                        FilterCodec.encode(each.filter(), out);
                        out.raw(each.digest().toArray());
                    }
                }
            }
        }
    }

    /** Behind its kind's number. */
    static Condition decode(int number, Input in, FilterDecoder filters, Growth growth) throws BigtableException {
        for (Condition.Kind kind : Condition.Kind.values()) {
            if (kind.number() == number) {
                return decode(kind, in, filters, growth);
            }
        }
        throw in.corrupt("condition " + number + " is unknown");
    }

    private static Condition decode(Condition.Kind kind, Input in, FilterDecoder filters, Growth growth)
            throws BigtableException {
        return switch (kind) {
            case NEWEST -> new Newest(Fields.column(in), Fields.optional(in, "condition value"));
            case PASSES ->
                new Passes(filters.decode(in), Fields.present(in, "whether something is to pass"), changes(in, growth));
            case SHOWS -> new Shows(seen(in, filters));
        };
    }

    private static List<Seen> seen(Input in, FilterDecoder filters) throws BigtableException {
        int count = Fields.count(in, "reads", LEAST_SEEN_BYTES);
        Shows.checkReads(count);
        List<Seen> seen = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            seen.add(new Seen(filters.decode(in), in.raw("digest", RowDigest.BYTES)));
        }
        return seen;
    }

    static void encode(List<Change> changes, Output out) {
        out.varint(changes.size());
        changes.forEach(change -> ChangeCodec.encode(change, out));
    }

    static List<Change> changes(Input in, Growth growth) throws BigtableException {
        int count = Fields.count(in, "changes", 1);
        MutateCodec.atMost(count, Limits.CHANGES_PER_MUTATION, "changes in a mutation");
        growth.by(count, CHANGE_BYTES);
        List<Change> changes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            changes.add(ChangeCodec.decode(in));
        }
        return changes;
    }
}
