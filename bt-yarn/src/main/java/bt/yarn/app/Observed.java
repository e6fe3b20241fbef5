package bt.yarn.app;

import bt.yarn.spec.Held;
import bt.yarn.spec.Role;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What an application master sees: the containers it holds, the ids of those that YARN is about to take, how many more of each
 * role YARN has been asked for, the roles that rest because their last process died at once, and whether the end was asked for.
 */
record Observed(List<Held> containers, Set<String> leaving, Map<Role, Integer> asked, Set<Role> resting, Stop stop) {
    Observed {
        containers = List.copyOf(containers);
        leaving = Set.copyOf(leaving);
        asked = Map.copyOf(asked);
        resting = Set.copyOf(resting);
    }
}
