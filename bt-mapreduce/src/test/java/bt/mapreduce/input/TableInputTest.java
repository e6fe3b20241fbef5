package bt.mapreduce.input;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.RejectedException;
import bt.client.Scan;
import bt.model.Filter;
import bt.model.RowRange;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class TableInputTest {
    private final Configuration job = new Configuration(false);

    @Test
    void comesBackFromTheConfiguration() throws BigtableException {
        Scan scan = Scan.of(RowRange.prefix(Bytes.hex("00ff"))).filtered(new Filter.Latest(2));
        TableInput input = new TableInput("zk://127.0.0.1:1/main", "webtable", scan);
        input.writeTo(job);
        assertThat(TableInput.of(job)).isEqualTo(input);
    }

    @Test
    void aJobWithoutATableIsToldTheKey() {
        assertThatThrownBy(() -> TableInput.of(job))
                .isInstanceOf(RejectedException.class)
                .hasMessageStartingWith("bt.mapreduce.input.cluster is not set");
    }

    @Test
    void aScanThatNobodyEncodedIsRefused() {
        new TableInput("zk://127.0.0.1:1/main", "webtable", Scan.all()).writeTo(job);
        job.set(TableInput.SCAN, "all rows");
        assertThatThrownBy(() -> TableInput.of(job))
                .isInstanceOf(RejectedException.class)
                .hasMessageStartingWith("bt.mapreduce.input.scan: ");
        job.set(TableInput.SCAN, "00ff");
        assertThatThrownBy(() -> TableInput.of(job))
                .isInstanceOf(BigtableException.class)
                .hasMessageStartingWith("bt.mapreduce.input.scan at ");
    }
}
