package bt.yarn.spec;

/** A container that YARN has given to the cluster's application. */
public record Held(String id, Role role, String host, State state) {
    /** How far it is. */
    public enum State {
        /** Nothing runs in it yet. */
        GRANTED,
        /** A node manager has been asked to start its process. */
        STARTING,
        RUNNING,
        /** Given back; its process may still run. */
        ENDING
    }

    public Held in(State next) {
        return new Held(id, role, host, next);
    }
}
