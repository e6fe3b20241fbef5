package bt.doctor;

import java.util.List;

/** One invariant over one kind of facts: facts in, findings out, nothing asked and nothing changed. Any thread. */
interface Invariant<F extends Facts> {
    List<Finding> check(F facts);

    /**
     * Whether a healthy cluster looks like this for a while: a server has been asked to load and has not begun, a dead one
     * is not replaced yet. Only time tells then; else two looks at one version of the facts do.
     */
    default boolean mayPass() {
        return false;
    }
}
