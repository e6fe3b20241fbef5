package bt.yarn.app;

import bt.base.Clock;
import bt.yarn.spec.Held;
import bt.yarn.spec.Held.State;
import bt.yarn.spec.Role;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The containers of the application, oldest first, and what was asked for. Owned by the application master's loop. */
final class Fleet {
    private final Clock clock;
    private final Map<String, Member> members = new LinkedHashMap<>();
    private final Set<String> leaving = new HashSet<>();
    private final Map<Role, Integer> asked = new EnumMap<>(Role.class);
    private final Map<Role, Backoff> backoffs = new EnumMap<>(Role.class);

    private record Member(Held held, long sinceNanos) {}

    Fleet(Clock clock) {
        this.clock = clock;
        for (Role role : Role.values()) {
            asked.put(role, 0);
            backoffs.put(role, Backoff.none(clock));
        }
    }

    Observed observed(Stop stop) {
        Set<Role> resting = EnumSet.noneOf(Role.class);
        backoffs.forEach((role, backoff) -> {
            if (backoff.isResting(clock)) {
                resting.add(role);
            }
        });
        return new Observed(held(), leaving, asked, resting, stop);
    }

    List<Held> held() {
        List<Held> held = new ArrayList<>();
        members.values().forEach(member -> held.add(member.held()));
        return held;
    }

    /** The nodes on which it has containers of the role. */
    Set<String> hosts(Role role) {
        Set<String> hosts = new HashSet<>();
        held().stream().filter(held -> held.role() == role).forEach(held -> hosts.add(held.host()));
        return hosts;
    }

    /** YARN is about to take these. */
    void leaves(Set<String> ids) {
        leaving.addAll(ids);
    }

    void asked(Role role, int more) {
        asked.merge(role, more, Integer::sum);
    }

    /** A container that was asked for; YARN may grant more than that. */
    void granted(Held held) {
        members.put(held.id(), new Member(held, clock.nanos()));
        asked.merge(held.role(), -1, (count, one) -> Math.max(count + one, 0));
    }

    /** A container that an earlier attempt started. */
    void adopted(Held held) {
        members.putIfAbsent(held.id(), new Member(held, clock.nanos()));
    }

    void moved(String id, State state) {
        members.computeIfPresent(
                id,
                (key, member) -> member.held().state() == State.ENDING
                        ? member
                        : new Member(member.held().in(state), member.sinceNanos()));
    }

    /** YARN says that the container is gone. Empty when it was none of ours. */
    Optional<Held> completed(String id) {
        leaving.remove(id);
        Member member = members.remove(id);
        if (member == null) {
            return Optional.empty();
        }
        Role role = member.held().role();
        if (member.held().state() != State.GRANTED) {
            backoffs.computeIfPresent(role, (key, backoff) -> backoff.died(member.sinceNanos(), clock));
        }
        return Optional.of(member.held());
    }
}
