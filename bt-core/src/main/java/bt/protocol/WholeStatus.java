package bt.protocol;

import bt.base.UnavailableException;
import bt.record.ServerStatus;
import bt.record.ServerStatusRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a server says of itself, with all its tablets, to whoever is not its master: it is asked until its list is whole, and what it has
 * told until then is not taken for all that it has. One server's, once, one thread.
 */
public final class WholeStatus {
    /** More than is in any server's memory. */
    private static final int MOST_PARTS = 1_000;

    private Optional<ServerStatus> first = Optional.empty();
    private TabletParts parts = new TabletParts(Map.of());
    private int heard;

    /** What it is to be asked next. */
    public ServerStatusRequest question() {
        return TabletListing.question(0, parts.list());
    }

    /** All of it, as it was when the list began; empty where it has to be asked again. UNAVAILABLE where it is not to be had whole. */
    public Optional<ServerStatus> hear(ServerStatus answer) throws UnavailableException {
        heard++;
        if (heard > MOST_PARTS) {
            throw new UnavailableException("it has told of its tablets in " + MOST_PARTS + " parts, and not of all");
        }
        boolean begins = answer.getListedBefore() < 0;
        if (begins && !answer.getListGoesOn()) {
            return Optional.of(answer);
        }
        if (begins) {
            forget();
            first = Optional.of(answer);
        } else if (answer.getListedBefore() != parts.list() || !isOfTheSame(answer)) {
            forget();
            return Optional.empty();
        }
        parts.add(answer);
        if (answer.getListGoesOn()) {
            return Optional.empty();
        }
        ServerStatus whole = first.orElseThrow();
        whole.setTablets(List.copyOf(parts.tablets().values()));
        whole.setListGoesOn(false);
        return Optional.of(whole);
    }

    /** Whose address has a new tenant does not go on with its list. */
    private boolean isOfTheSame(ServerStatus answer) {
        return first.filter(before -> before.getEpoch() == answer.getEpoch()).isPresent();
    }

    private void forget() {
        first = Optional.empty();
        parts = new TabletParts(Map.of());
    }
}
