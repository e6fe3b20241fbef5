package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.RejectedException;
import bt.client.Bigtable;
import bt.command.ExitCode;
import bt.coord.Paths;
import bt.main.CommandLines.Result;
import bt.metadata.Schemas;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Request;
import bt.record.CreateTable;
import bt.record.MasterFile;
import bt.record.TableCreated;
import bt.record.WorkOnTable;
import bt.record.WorkReport;
import bt.testing.MemoryCluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.avro.specific.SpecificRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SchemaApplyTest {
    private static final Address MASTER = new Address("master", 1);

    @TempDir
    private Path directory;

    /** A master that makes tables with other lists than it was asked for, and changes none. */
    private static CompletableFuture<Answer> answer(MemoryCluster cluster, Request request) {
        SpecificRecord message = ((Request.Control) request).message();
        if (message instanceof CreateTable create) {
            try {
                cluster.table(4, Schemas.decode(create.getTable()), List.of(), 3);
                return CompletableFuture.completedFuture(new Answer.Control(new TableCreated(4L)));
            } catch (Exception failed) {
                return CompletableFuture.failedFuture(failed);
            }
        }
        return message instanceof WorkOnTable
                ? CompletableFuture.completedFuture(new Answer.Control(new WorkReport(List.of())))
                : CompletableFuture.failedFuture(
                        new RejectedException("table t: changed by nobody", "ask for another"));
    }

    @Test
    void whatWasDoneIsToldWhereTheRightsOfANewTableCannotBeGiven() throws Exception {
        try (MemoryCluster cluster = new MemoryCluster()) {
            cluster.locks.create(Paths.MASTER, AvroBytes.encode(new MasterFile(MASTER.toString(), "nonce")));
            cluster.listen(MASTER, (caller, request) -> answer(cluster, request));
            CommandLines bt = CommandLines.over(Bigtable.over(cluster, cluster.locks, cluster.scheduler));
            Path file = directory.resolve("t.json");
            Files.writeString(
                    file,
                    "{\"table\":\"t\",\"families\":[{\"family\":\"f\"}],"
                            + "\"rights\":[{\"user\":\"alice\",\"rights\":\"read\"}]}");
            Result refused = bt.run("schema", "apply", file.toString(), "--yes");
            assertThat(refused.code()).isEqualTo(ExitCode.REJECTED);
            assertThat(refused.err())
                    .contains("table t was created, and whoever did so has all rights still")
                    .contains("changed by nobody");
        }
    }
}
