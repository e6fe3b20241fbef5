package bt.coord.zookeeper;

import bt.base.Bytes;
import bt.base.RejectedException;

/**
 * What the processes of a cluster show ZooKeeper, so that it lets nobody else change their files: a name and a password, in its
 * scheme {@code digest}. It goes over the wire as it is.
 */
public record Secret(String name, String password) {
    /** Who is refused for want of one. */
    static final String ADVICE = "name the file with it in the environment's BT_ZOOKEEPER_SECRET_FILE";

    public Secret {
        if (name.isEmpty() || name.indexOf(':') >= 0 || password.isEmpty()) {
            throw new IllegalArgumentException("a secret is a name without a colon, and a password");
        }
    }

    /** REJECTED where it is not {@code name:password}. The source is named, what it says is not. */
    public static Secret parse(String source, String text) throws RejectedException {
        int colon = text.indexOf(':');
        if (colon <= 0 || colon == text.length() - 1) {
            throw new RejectedException(
                    source + ": not name:password",
                    "write one line into it, a name and a password with a colon between them");
        }
        return new Secret(text.substring(0, colon), text.substring(colon + 1));
    }

    byte[] shown() {
        return Bytes.utf8(name + ":" + password).toArray();
    }

    /** No password in logs. */
    @Override
    public String toString() {
        return name + ":…";
    }
}
