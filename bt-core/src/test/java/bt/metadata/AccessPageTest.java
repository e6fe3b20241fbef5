package bt.metadata;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.model.AccessList;
import bt.model.Right;
import bt.model.TableAccess;
import bt.record.ClusterAccessRecord;
import bt.record.TableAccessRecord;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The worked example of docs/formats/access.md is what the code writes, byte by byte, and reads. */
class AccessPageTest {
    private static final Path PAGE = Path.of("..", "docs", "formats", "access.md");

    private static final TableAccess TABLE = new TableAccess(
            AccessList.NOBODY
                    .grant(AccessList.EVERYBODY, Set.of(Right.READ))
                    .grant("alice", Set.of(Right.WRITE, Right.READ)),
            new TreeMap<>(Map.of(2, AccessList.NOBODY.grant("bob", Set.of(Right.READ, Right.SCRIPT)))));

    private static final AccessList CLUSTER = AccessList.NOBODY.grant("ada", Right.OF_CLUSTERS);

    @Test
    void theExamplesAreWhatTheCodeWrites() throws Exception {
        assertThat(AvroBytes.encode(AccessCodec.encode(TABLE))).isEqualTo(example("table-access"));
        assertThat(ClusterAccess.FORM.encode(new ClusterAccessRecord(AccessCodec.encode(CLUSTER))))
                .isEqualTo(example("cluster-access"));
    }

    @Test
    void theExamplesAreReadAsWhatThePageSays() throws Exception {
        assertThat(AccessCodec.decode(AvroBytes.decode("page", example("table-access"), TableAccessRecord.class)))
                .isEqualTo(TABLE);
        for (String form : List.of("cluster-access", "older-cluster-access")) {
            assertThat(AccessCodec.decode(
                            ClusterAccess.FORM.decode("page", example(form)).getUsers()))
                    .isEqualTo(CLUSTER);
        }
    }

    /** What the block that is fenced so says, without its comments. */
    private static Bytes example(String fence) throws Exception {
        List<String> page = Files.readAllLines(PAGE);
        int from = page.indexOf("```" + fence) + 1;
        StringBuilder digits = new StringBuilder();
        for (String line :
                page.subList(from, from + page.subList(from, page.size()).indexOf("```"))) {
            digits.append(line.split("   ", 2)[0].replace(" ", ""));
        }
        return Bytes.hex(digits.toString());
    }
}
