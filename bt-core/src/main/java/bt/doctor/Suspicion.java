package bt.doctor;

import bt.base.BigtableException;
import java.util.List;
import java.util.Optional;

/** Something that looked broken, and the way to look at it again. One thread. */
final class Suspicion<F extends Facts> {
    private final Invariant<F> invariant;
    private final Again<F> again;
    private Finding finding;
    private String version;
    private Optional<F> last = Optional.empty();
    private int looksAtVersion = 1;

    Suspicion(Invariant<F> invariant, Finding finding, String version, Again<F> again) {
        this.invariant = invariant;
        this.finding = finding;
        this.version = version;
        this.again = again;
    }

    /** The facts as they are now; empty when the thing is no longer there. */
    @FunctionalInterface
    interface Again<F> {
        Optional<F> look() throws BigtableException, InterruptedException;
    }

    Finding finding() {
        return finding;
    }

    /** True if it is still broken in the same way; what cannot be looked at is. */
    boolean look() throws InterruptedException {
        Optional<F> facts;
        try {
            facts = again.look();
        } catch (BigtableException unreadable) {
            return true;
        }
        if (facts.isEmpty()) {
            return false;
        }
        List<Finding> still = Finding.byPlace(invariant.check(facts.get())).stream()
                .filter(now -> now.isStill(finding))
                .toList();
        Optional<Finding> same = still.stream()
                .filter(now -> now.place().equals(finding.place()))
                .findFirst()
                .or(() -> still.stream().findFirst());
        if (same.isEmpty()) {
            return false;
        }
        finding = same.get();
        last = facts;
        looksAtVersion = facts.get().version().equals(version) ? looksAtVersion + 1 : 1;
        version = facts.get().version();
        return true;
    }

    /** It is to be mended, and others too: see {@link Mending#begin}. */
    void begin(Mending mending) {
        last.ifPresent(mending::begin);
    }

    /** What was done about what was seen last; empty where nothing can be. */
    Optional<String> mend(Mending mending) throws BigtableException, InterruptedException {
        return last.isEmpty() ? Optional.empty() : mending.mend(last.get());
    }

    /** Whether two looks saw one state of a thing that no healthy cluster ever shows. */
    boolean isCertain() {
        return !invariant.mayPass() && looksAtVersion > 1;
    }

    /** Whether somebody has changed the thing since the look before: then it is on its way. */
    boolean hasMoved() {
        return looksAtVersion == 1;
    }
}
