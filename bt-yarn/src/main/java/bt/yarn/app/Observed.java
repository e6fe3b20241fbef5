package bt.yarn.app;

import bt.yarn.spec.Held;
import bt.yarn.spec.Role;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What an application master sees: the containers it holds, how many more of each role YARN has been asked for, the roles
 * that rest because their last process died at once, and whether the end was asked for.
 */
record Observed(List<Held> containers, Map<Role, Integer> asked, Set<Role> resting, Stop stop) {
    Observed {
        containers = List.copyOf(containers);
        asked = Map.copyOf(asked);
        resting = Set.copyOf(resting);
    }
}
