package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.record.CacheReport;
import bt.sstable.CacheSizes;
import bt.tablet.TabletCaches;
import org.junit.jupiter.api.Test;

class CacheReportsTest {
    @Test
    void everyCacheIsNamedWithItsBound() {
        TabletCaches caches = TabletCaches.of(new CacheSizes(1, 2, 3), new CacheSizes(4, 5, 6));
        assertThat(CacheReports.of(caches))
                .extracting(CacheReport::getName)
                .containsExactly(
                        "blocks",
                        "open-files",
                        "scans",
                        "in-memory",
                        "local",
                        "metadata-blocks",
                        "metadata-open-files",
                        "metadata-scans",
                        "metadata-in-memory");
        assertThat(CacheReports.of(caches))
                .extracting(CacheReport::getMaxBytes)
                .containsExactly(1L, 32L << 20, 2L, 3L, 0L, 4L, 32L << 20, 5L, 6L);
    }
}
