package bt.tablet;

import java.util.Optional;
import java.util.Set;

/** The families, by id, that a read is shown; the others are to it as if the table had them not. Empty: all. */
public record Shown(Optional<Set<Integer>> families) {
    public static final Shown ALL = new Shown(Optional.empty());

    public Shown {
        families = families.map(Set::copyOf);
    }

    public static Shown only(Set<Integer> families) {
        return new Shown(Optional.of(families));
    }

    /** Whether this family is among them. */
    public boolean includes(int family) {
        return families.isEmpty() || families.get().contains(family);
    }

    /** The view as such a read has it. */
    TabletView of(TabletView view) {
        return families.isEmpty() ? view : view.withSchema(view.schema().showing(families.get()));
    }
}
