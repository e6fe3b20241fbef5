package bt.yarn.spec;

import java.util.Optional;
import java.util.stream.Stream;

/** What a container of a cluster runs. */
public enum Role {
    MASTER("master", 1),
    TABLET_SERVER("tabletserver", 2);

    private final String command;
    private final int priority;

    Role(String command, int priority) {
        this.command = command;
        this.priority = priority;
    }

    /** The command of {@code bt} that the container runs. */
    public String command() {
        return command;
    }

    /**
     * The priority at which YARN is asked for the container. YARN gives it back with every container, also to the next
     * attempt of an application master: it is how a container's role is known, so no two roles have the same.
     */
    public int priority() {
        return priority;
    }

    public static Optional<Role> ofPriority(int priority) {
        return Stream.of(values()).filter(role -> role.priority == priority).findFirst();
    }
}
