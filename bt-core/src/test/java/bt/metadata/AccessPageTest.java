package bt.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.model.AccessList;
import bt.model.Right;
import bt.model.TableAccess;
import bt.record.ClusterAccessRecord;
import bt.record.TableAccessRecord;
import bt.testing.FormatPage;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The worked example of docs/formats/access.md is what the code writes, byte by byte, and reads. */
class AccessPageTest {
    private static final TableAccess TABLE = new TableAccess(
            AccessList.NOBODY
                    .grant(AccessList.EVERYBODY, Set.of(Right.READ))
                    .grant("alice", Set.of(Right.WRITE, Right.READ)),
            new TreeMap<>(Map.of(2, AccessList.NOBODY.grant("bob", Set.of(Right.READ, Right.SCRIPT)))));

    private static final AccessList CLUSTER = AccessList.NOBODY.grant("ada", Right.OF_CLUSTERS);

    private final FormatPage page;

    AccessPageTest() throws IOException {
        page = FormatPage.of("access.md");
    }

    @Test
    void theExamplesAreWhatTheCodeWrites() throws Exception {
        assertThat(AvroBytes.encode(AccessCodec.encode(TABLE))).isEqualTo(page.example("table-access"));
        assertThat(ClusterAccess.FORM.encode(new ClusterAccessRecord(AccessCodec.encode(CLUSTER))))
                .isEqualTo(page.example("cluster-access"));
    }

    @Test
    void theExamplesAreReadAsWhatThePageSays() throws Exception {
        assertThat(AccessCodec.decode(AvroBytes.decode("page", page.example("table-access"), TableAccessRecord.class)))
                .isEqualTo(TABLE);
        for (String form : List.of("cluster-access", "older-cluster-access")) {
            assertThat(AccessCodec.decode(ClusterAccess.FORM
                            .decode("page", page.example(form))
                            .getUsers()))
                    .isEqualTo(CLUSTER);
        }
    }
}
