package bt.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.coord.Lock;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.record.MasterFile;
import bt.record.ServerFile;
import bt.record.TabletLocation;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A server that is not what its lock says is named. No master meddles. */
class MembershipTest {
    @Test
    void aServerThatHoldsItsLockAndDoesNotAnswerIsNamed() {
        Patient.treat(51, patient -> {
            patient.cluster.crashActiveMaster();
            SmallFile file = plant(patient, "ghost:1");
            try (Lock held = patient.locks
                    .tryLock(Paths.serverLock("ghost"), Bytes.EMPTY)
                    .orElseThrow()) {
                held.renew();
                assertThat(factOf(patient, "ghost"))
                        .startsWith("the server of epoch " + file.createdTransaction()
                                + " holds its lock and does not answer: ")
                        .contains("ghost:1");
            }
        });
    }

    @Test
    void aServerAtWhoseAddressAnotherAnswersIsNamed() {
        Patient.treat(52, patient -> {
            patient.cluster.crashActiveMaster();
            TabletLocation tenant = patient.row(Patient.FIRST).location();
            SmallFile file = plant(patient, tenant.getAddress());
            try (Lock held = patient.locks
                    .tryLock(Paths.serverLock("ghost"), Bytes.EMPTY)
                    .orElseThrow()) {
                held.renew();
                assertThat(factOf(patient, "ghost"))
                        .isEqualTo("the server of epoch " + file.createdTransaction()
                                + " holds its lock, at its address answers one of epoch " + tenant.getEpoch());
            }
        });
    }

    @Test
    void aServerThatDoesNotKnowOfItsLockIsNamed() {
        Patient.treat(53, patient -> {
            patient.cluster.crashActiveMaster();
            TabletLocation robbed = patient.row(Patient.FIRST).location();
            String lock = Paths.serverLock(robbed.getServer());
            patient.locks.delete(lock);
            try (Lock stolen = patient.locks.tryLock(lock, Bytes.EMPTY).orElseThrow()) {
                // It learns it when it renews its lease.
                patient.pause(Duration.ofSeconds(10));
                stolen.renew();
                assertThat(factOf(patient, robbed.getServer()))
                        .isEqualTo("the server of epoch " + robbed.getEpoch() + " holds its lock and does not know it");
            }
        });
    }

    /** It serves on, for the next master too, and the doctor asks it. */
    @Test
    void aServerWhoseFileIsDamagedIsNamed() {
        Patient.treat(55, patient -> {
            TabletLocation served = patient.row(Patient.FIRST).location();
            String path = Paths.server(served.getServer());
            SmallFile file = patient.locks.read(path).orElseThrow();
            patient.locks.write(path, Bytes.utf8("no server"), file.version());
            patient.cluster.crashActiveMaster();
            patient.cluster.startMaster();
            patient.client
                    .admin()
                    .createTable(
                            TableSchema.draft("u").family("f", GcRule.KEEP_ALL).build(), List.of());
            assertThat(patient.row(Patient.FIRST).location()).isEqualTo(served);
            assertThat(patient.client.admin().clusterStatus().problems())
                    .anyMatch(problem -> problem.startsWith("server file " + served.getServer()));
            assertThat(patient.examine().findings()).singleElement().satisfies(finding -> {
                assertThat(finding.rule()).isEqualTo(Rule.MEMBERSHIP);
                assertThat(finding.place()).isEqualTo(Place.file(served.getServer()));
                assertThat(finding.fact()).startsWith("server file " + served.getServer());
            });
        });
    }

    /** As if another had written, after it, that it rules; nobody has the lock but the one who does. */
    @Test
    void aMasterThatNobodyIsSentToIsNamed() {
        Patient.treat(54, patient -> {
            patient.cluster.crashActiveMaster();
            patient.pause(Duration.ofSeconds(10));
            try (Lock held = patient.locks
                    .tryLock(Paths.MASTER_LOCK, Bytes.utf8("ruler"))
                    .orElseThrow()) {
                SmallFile file = patient.locks.read(Paths.MASTER).orElseThrow();
                patient.locks.write(
                        Paths.MASTER, AvroBytes.encode(new MasterFile("ghost:1", "another")), file.version());
                assertThat(factOf(patient, "master"))
                        .isEqualTo(
                                "who asks for the master is sent to ghost:1, the process of nonce another, and the lock is"
                                        + " held by that of nonce ruler");
                held.renew();
            }
        });
    }

    private static SmallFile plant(Patient patient, String address) throws BigtableException {
        return patient.locks.create(
                Paths.server("ghost"), AvroBytes.encode(new ServerFile(address, "n", "0.1.0", "", 0L)));
    }

    private static String factOf(Patient patient, String server) throws BigtableException, InterruptedException {
        return patient.examine().findings().stream()
                .filter(finding ->
                        finding.rule() == Rule.MEMBERSHIP && finding.place().equals(Place.file(server)))
                .map(Finding::fact)
                .findFirst()
                .orElseThrow();
    }
}
