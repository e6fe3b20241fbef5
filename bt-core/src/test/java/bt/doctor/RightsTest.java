package bt.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.coord.Paths;
import bt.coord.SmallFile;
import bt.doctor.ClusterFacts.RightsSight;
import bt.doctor.ServerSight.Answered;
import bt.metadata.TableFile;
import bt.model.Right;
import bt.protocol.Address;
import bt.record.AccessRight;
import bt.record.ClusterAccessRecord;
import bt.record.FamilyRights;
import bt.record.TableAccessRecord;
import bt.record.TableRecord;
import bt.record.UserRights;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What the tenth invariant says of lists of rights is broken in a cluster that runs, and the doctor says so. */
class RightsTest {
    private static final List<UserRights> READS = List.of(new UserRights("ada", List.of(AccessRight.READ)));

    @Test
    void aClusterWithListsAsTheyAreMadeHasNoFindings() {
        Patient.treat(31, patient -> {
            try (var client = patient.cluster.client()) {
                client.admin().alterAccess(list -> list.grant("test", Right.OF_CLUSTERS));
                client.admin().alterTable("t", now -> now.change()
                        .grant("ada", Set.of(Right.READ), Optional.of("f"))
                        .build());
            }
            assertThat(patient.examine().findings()).isEmpty();
        });
    }

    @Test
    void aListWithoutAnAdministratorIsNamed() {
        Patient.treat(32, patient -> {
            patient.locks.create(
                    Paths.ACCESS,
                    AvroBytes.encode(
                            new ClusterAccessRecord(List.of(new UserRights("ada", List.of(AccessRight.CREATE))))));
            assertThat(patient.examine().findings())
                    .containsExactly(
                            new Finding(Rule.MEMBERSHIP, Place.file(Paths.ACCESS), "the list names no administrator"));
        });
    }

    @Test
    void aListThatCannotBeReadIsNamed() {
        Patient.treat(33, patient -> {
            patient.locks.create(Paths.ACCESS, Bytes.utf8("no list"));
            assertThat(patient.examine().findings())
                    .anyMatch(finding -> finding.rule() == Rule.MEMBERSHIP
                            && finding.place().file().equals(Paths.ACCESS)
                            && finding.fact().contains("are no ClusterAccessRecord"));
        });
    }

    @Test
    void aTableWithListsInAClusterWithoutIsNamedAndSoIsAListOfAFamilyThatIsNotThere() {
        Patient.treat(34, patient -> {
            SmallFile file = patient.locks.read(Paths.table(1)).orElseThrow();
            TableRecord table = TableFile.decode("table", file.content());
            table.setAccess(new TableAccessRecord(READS, List.of(new FamilyRights(7, READS))));
            patient.locks.write(Paths.table(1), TableFile.encode(table), file.version());
            assertThat(patient.examine().findings())
                    .filteredOn(finding -> finding.place().equals(Place.file(Paths.table(1))))
                    .singleElement()
                    .extracting(Finding::fact)
                    .asString()
                    .contains("table t has lists of rights, and everybody administers the cluster")
                    .contains("rights for the family id 7, which is not there");
        });
    }

    @Test
    void aServerThatGoesByAnOldListIsNamed() {
        ServerSight old = server("old", new Answered(7, true, 3));
        ServerSight good = server("good", new Answered(7, true, 4));
        ClusterFacts facts = new ClusterFacts(
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(old, good),
                Map.of(),
                Map.of(),
                new RightsSight(4, Optional.empty()));
        assertThat(new Rights().check(facts))
                .containsExactly(new Finding(
                        Rule.MEMBERSHIP,
                        Place.file("old"),
                        "the server of epoch 7 goes by version 3 of the cluster's rights, there is version 4"));
    }

    private static ServerSight server(String id, Answered answered) {
        return new ServerSight(
                id, Optional.of(new Address(id, 1)), 7, true, Optional.empty(), Optional.of(answered), "");
    }
}
