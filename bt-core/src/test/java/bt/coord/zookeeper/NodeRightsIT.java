package bt.coord.zookeeper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.coord.FileRights;
import bt.coord.Lock;
import bt.coord.SmallFile;
import bt.testing.MiniZooKeeper;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Who may do what with the files of a cluster with a secret, and of one without, in one ZooKeeper. */
class NodeRightsIT {
    private static final Optional<Secret> SECRET = Optional.of(new Secret("bt", "hush"));

    @TempDir
    private static Path directory;

    private static MiniZooKeeper zooKeeper;

    @BeforeAll
    static void start() throws Exception {
        zooKeeper = new MiniZooKeeper(directory);
    }

    @AfterAll
    static void stop() {
        zooKeeper.close();
    }

    @Test
    void whoDoesNotKnowTheSecretReadsAndChangesNothing() throws Exception {
        try (ZooKeeperLockService owner = connect("closed", SECRET);
                ZooKeeperLockService stranger = connect("closed", Optional.empty());
                ZooKeeperLockService liar = connect("closed", Optional.of(new Secret("bt", "guess")))) {
            SmallFile file = owner.create("instance", Bytes.utf8("id"));
            owner.create("servers/a", Bytes.EMPTY);
            try (Lock held = owner.tryLock("servers/a/lock", Bytes.EMPTY).orElseThrow()) {
                held.create("made", Bytes.EMPTY);
                for (ZooKeeperLockService other : List.of(stranger, liar)) {
                    assertThat(other.read("instance").orElseThrow().content()).isEqualTo(Bytes.utf8("id"));
                    assertThat(other.children("servers")).containsExactly("a");
                    refused(() -> other.write("instance", Bytes.EMPTY, file.version()));
                    refused(() -> other.create("root", Bytes.EMPTY));
                    refused(() -> other.delete("instance"));
                    refused(() -> other.delete("servers/a/lock"));
                    refused(() -> other.tryLock("instance/lock", Bytes.EMPTY));
                    refused(() -> other.rights().orElseThrow().mend("instance"));
                }
                held.renew();
                FileRights rights = owner.rights().orElseThrow();
                for (String path : List.of("", "instance", "servers", "servers/a", "servers/a/lock", "made")) {
                    assertThat(rights.wrong(path)).as(path).isEmpty();
                }
            }
            owner.write("instance", Bytes.EMPTY, file.version());
        }
    }

    @Test
    void clustersWithOtherSecretsAndWithoutShareAZooKeeper() throws Exception {
        for (Optional<Secret> secret :
                List.of(SECRET, Optional.of(new Secret("other", "secret")), Optional.<Secret>empty())) {
            try (ZooKeeperLockService owner =
                    connect("one" + secret.map(Secret::name).orElse(""), secret)) {
                assertThat(owner.create("instance", Bytes.EMPTY).version()).isZero();
                assertThat(owner.rights().orElseThrow().wrong("instance")).isEmpty();
            }
        }
    }

    /** How a cluster that runs gets a secret: its processes are told it, and what is there is mended. */
    @Test
    void anOpenClusterIsClosedFileByFile() throws Exception {
        try (ZooKeeperLockService before = connect("grown", Optional.empty());
                ZooKeeperLockService owner = connect("grown", SECRET)) {
            SmallFile file = before.create("instance", Bytes.EMPTY);
            FileRights rights = owner.rights().orElseThrow();
            assertThat(rights.wrong("instance")).hasValueSatisfying(wrong -> assertThat(wrong)
                    .startsWith("ZooKeeper gives world:anyone:cdrwa, not digest:bt:")
                    .endsWith(":cdrwa, world:anyone:r"));
            assertThat(rights.wrong("nowhere")).isEmpty();
            for (String path : List.of("", "instance", "nowhere")) {
                rights.mend(path);
                assertThat(rights.wrong(path)).isEmpty();
            }
            refused(() -> before.write("instance", Bytes.EMPTY, file.version()));
            refused(() -> before.create("late", Bytes.EMPTY));
        }
    }

    @Test
    void theRightsAreThoseOfANewSessionToo() throws Exception {
        try (ZooKeeperLockService owner = connect("expired", SECRET)) {
            SmallFile file = owner.create("instance", Bytes.EMPTY);
            zooKeeper.expire(owner.sessionId());
            assertThat(owner.write("instance", Bytes.EMPTY, file.version()).version())
                    .isEqualTo(file.version() + 1);
        }
    }

    private static ZooKeeperLockService connect(String cluster, Optional<Secret> secret) throws BigtableException {
        return ZooKeeperLockService.connect(zooKeeper.quorum(), cluster, 4_000, secret);
    }

    private static void refused(ThrowingCallable call) {
        assertThatThrownBy(call).isInstanceOf(RejectedException.class);
    }
}
