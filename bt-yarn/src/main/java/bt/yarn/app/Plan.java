package bt.yarn.app;

import bt.yarn.spec.ClusterSpec;
import bt.yarn.spec.Held;
import bt.yarn.spec.Held.State;
import bt.yarn.spec.Role;
import java.util.ArrayList;
import java.util.List;

/**
 * What an application master does next: a pure function of what is wanted and what it sees. A container counts until YARN
 * says that it is complete, also while it is ending, so there are never more processes of a role than are wanted.
 */
final class Plan {
    private Plan() {}

    static List<Action> next(ClusterSpec spec, Observed observed) {
        List<Action> actions = new ArrayList<>();
        for (Role role : Role.values()) {
            int wanted = observed.stop() == Stop.NOT_ASKED ? spec.wanted(role) : 0;
            fill(role, wanted, observed, actions);
        }
        switch (observed.stop()) {
            case NOT_ASKED -> part(spec, observed, actions);
            case ASKED -> beginToStop(observed, actions);
            case UNDER_WAY -> {}
            case SERVERS_ENDED -> giveBack(started(observed.containers(), Role.MASTER), actions);
            case OVERDUE -> giveBack(started(observed.containers()), actions);
        }
        if (observed.stop() != Stop.NOT_ASKED && observed.containers().isEmpty()) {
            actions.add(new Action.Finish());
        }
        return actions;
    }

    /** Uses what was granted, returns what is too much of it, and asks for what is missing. */
    private static void fill(Role role, int wanted, Observed observed, List<Action> actions) {
        List<Held> granted = new ArrayList<>();
        int taken = 0;
        for (Held held : observed.containers()) {
            if (held.role() == role && held.state() == State.GRANTED) {
                granted.add(held);
            } else if (held.role() == role) {
                taken++;
            }
        }
        int launches = Math.min(Math.max(wanted - taken, 0), granted.size());
        granted.subList(0, launches).forEach(held -> actions.add(new Action.Launch(held)));
        giveBack(granted.subList(launches, granted.size()), actions);

        int asked = observed.asked().getOrDefault(role, 0);
        int missing = Math.max(wanted - taken - launches, 0) - asked;
        if (missing > 0 && !observed.resting().contains(role)) {
            if (role == Role.TABLET_SERVER) {
                actions.add(new Action.Ask(role, missing));
            } else if (asked == 0) {
                // One after the other: each is to be where none is, so where the one before is has to be known.
                actions.add(new Action.Ask(role, 1));
            }
        } else if (missing < 0) {
            actions.add(new Action.Withdraw(role, -missing));
        }
    }

    /**
     * What YARN is about to take goes before it does. More than is wanted runs only after a take-over; the newest go. Tablet
     * servers go without their tablets.
     */
    private static void part(ClusterSpec spec, Observed observed, List<Action> actions) {
        for (Role role : Role.values()) {
            List<Held> staying = new ArrayList<>();
            for (Held held : started(observed.containers())) {
                if (held.role() == role && observed.leaving().contains(held.id())) {
                    actions.add(parting(held));
                } else if (held.role() == role) {
                    staying.add(held);
                }
            }
            int wanted = Math.min(spec.wanted(role), staying.size());
            staying.subList(wanted, staying.size()).forEach(surplus -> actions.add(parting(surplus)));
        }
    }

    private static Action parting(Held held) {
        return held.role() == Role.TABLET_SERVER ? new Action.Retire(held) : new Action.GiveBack(held);
    }

    private static void beginToStop(Observed observed, List<Action> actions) {
        List<Held> started = started(observed.containers());
        if (started.stream().anyMatch(held -> held.role() == Role.MASTER)) {
            actions.add(new Action.StopCluster());
        } else {
            giveBack(started, actions);
        }
    }

    private static List<Held> started(List<Held> containers) {
        return containers.stream()
                .filter(held -> held.state() == State.STARTING || held.state() == State.RUNNING)
                .toList();
    }

    private static List<Held> started(List<Held> containers, Role role) {
        return started(containers).stream().filter(held -> held.role() == role).toList();
    }

    private static void giveBack(List<Held> containers, List<Action> actions) {
        containers.forEach(held -> actions.add(new Action.GiveBack(held)));
    }
}
