package bt.coord.zookeeper;

import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.apache.zookeeper.ZooDefs.Perms;
import org.apache.zookeeper.data.ACL;
import org.apache.zookeeper.data.Id;
import org.apache.zookeeper.server.auth.DigestAuthenticationProvider;

/** Who may touch what we create in ZooKeeper: the one place that decides it. */
final class Acls {
    private static final Id EVERYBODY = new Id("world", "anyone");

    /** The mode {@code simple}: callers are believed, so anyone who reaches ZooKeeper may do everything. */
    static final List<ACL> OPEN = List.of(new ACL(Perms.ALL, EVERYBODY));

    private Acls() {}

    /** Who knows the secret may do everything; clients find their way by what they read. */
    static List<ACL> of(Optional<Secret> secret) {
        return secret.map(known -> List.of(new ACL(Perms.ALL, id(known)), new ACL(Perms.READ, EVERYBODY)))
                .orElse(OPEN);
    }

    private static Id id(Secret secret) {
        try {
            return new Id(
                    "digest", DigestAuthenticationProvider.generateDigest(secret.name() + ":" + secret.password()));
        } catch (NoSuchAlgorithmException impossible) {
            throw new AssertionError("every JVM has the digest of ZooKeeper", impossible);
        }
    }

    /** In any order the same rights. */
    static boolean areEqual(List<ACL> one, List<ACL> other) {
        return text(one).equals(text(other));
    }

    /** As ZooKeeper's own shell prints them, on one line. */
    static String text(List<ACL> acls) {
        List<ACL> sorted = new ArrayList<>(acls);
        sorted.sort(Comparator.comparing((ACL acl) -> acl.getId().getScheme())
                .thenComparing(acl -> acl.getId().getId()));
        return sorted.stream()
                .map(acl -> acl.getId().getScheme() + ":" + acl.getId().getId() + ":" + letters(acl.getPerms()))
                .collect(Collectors.joining(", "));
    }

    private static String letters(int permissions) {
        StringBuilder letters = new StringBuilder();
        append(letters, permissions, Perms.CREATE, 'c');
        append(letters, permissions, Perms.DELETE, 'd');
        append(letters, permissions, Perms.READ, 'r');
        append(letters, permissions, Perms.WRITE, 'w');
        append(letters, permissions, Perms.ADMIN, 'a');
        return letters.toString();
    }

    private static void append(StringBuilder letters, int permissions, int one, char letter) {
        if ((permissions & one) != 0) {
            letters.append(letter);
        }
    }
}
