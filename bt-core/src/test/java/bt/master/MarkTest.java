package bt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.AvroBytes;
import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.UnavailableException;
import bt.metadata.MetadataRow;
import bt.model.GcRule;
import bt.model.TableSchema;
import bt.model.TabletId;
import bt.record.TabletState;
import bt.testing.MemoryCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Table 4 has so many tablets, which end at rows so long, that METADATA tells of them in several pages. */
class MarkTest {
    private static final List<Bytes> ENDS = IntStream.range(10, 99)
            .mapToObj(i -> Bytes.utf8(i + "x".repeat(30_000)))
            .toList();

    private final List<List<MetadataRow>> pages = new ArrayList<>();
    private MemoryCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        TableSchema draft = TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();
        cluster.table(4, draft, ENDS, 3);
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    private Mark mark() {
        return new Mark(4, true, cluster.metadata, cluster.scheduler);
    }

    @Test
    void itIsShownAllRowsAPageAtATime() throws Exception {
        assertThat(mark().run(pages::add)).isTrue();
        assertThat(pages).hasSizeGreaterThan(3);
        assertThat(pages.stream().flatMap(List::stream)).isEqualTo(cluster.metadata.scan(4, 4));
    }

    @Test
    void whereTabletsAreMergedBetweenTwoPagesItGoesOnFromThePageBefore() throws Exception {
        mark().run(rows -> {
            pages.add(rows);
            if (pages.size() == 2) {
                mergeWithTheNext(rows.get(rows.size() - 1));
            }
        });
        assertThat(seen()).containsAll(ids(cluster.metadata.scan(4, 4)));
        assertThat(pages.stream().filter(pages.get(0)::equals))
                .as("the first page")
                .hasSize(1);
    }

    @Test
    void aTabletThatIsMissingForSecondsEndsIt() throws Exception {
        List<MetadataRow> all = cluster.metadata.scan(4, 4);
        MetadataRow missing = all.get(70);
        change(missing, gone(missing));
        assertThatThrownBy(() -> mark().run(pages::add))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("does not begin where the tablet before ends");
        assertThat(seen()).contains(all.get(0).id()).doesNotContain(all.get(71).id());
    }

    private List<TabletId> seen() {
        return pages.stream().flatMap(page -> ids(page).stream()).toList();
    }

    private static List<TabletId> ids(List<MetadataRow> rows) {
        return rows.stream().map(MetadataRow::id).toList();
    }

    private void mergeWithTheNext(MetadataRow lower) throws BigtableException, InterruptedException {
        List<MetadataRow> all = cluster.metadata.scan(4, 4);
        MetadataRow upper = all.get(ids(all).indexOf(lower.id()) + 1);
        Optional<Bytes> begin = lower.previousEndRow();
        change(
                upper,
                TabletState.newBuilder(upper.state())
                        .setPreviousEndRow(AvroBytes.buffer(begin))
                        .build());
        change(lower, gone(lower));
    }

    private static TabletState gone(MetadataRow row) {
        return TabletState.newBuilder(row.state()).setGone(true).build();
    }

    private void change(MetadataRow row, TabletState state) throws BigtableException, InterruptedException {
        cluster.metadata.replace(row, row.location(), state, "changed by a test");
    }
}
