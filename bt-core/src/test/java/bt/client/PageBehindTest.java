package bt.client;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Bytes;
import bt.base.UnavailableException;
import bt.model.GcRule;
import bt.model.Row;
import bt.model.RowMutation;
import bt.model.TableSchema;
import bt.protocol.Address;
import bt.protocol.Answer;
import bt.protocol.Answer.Page;
import bt.protocol.Network;
import bt.protocol.Request;
import bt.testing.MemoryCluster;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a scan asks for while a page is still on its way, and its edge is known. */
class PageBehindTest {
    private static final TableSchema DRAFT =
            TableSchema.draft("t").family("f", GcRule.KEEP_ALL).build();

    private static final long TABLE = 4;
    private static final Bytes END = Bytes.utf8("m");
    private static final Scan PAGES_OF_A_ROW = Scan.all().pages(1, 1 << 20);

    private MemoryCluster cluster;
    private final List<String> rows = new ArrayList<>();

    @BeforeEach
    void start() throws Exception {
        cluster = new MemoryCluster();
        cluster.table(TABLE, DRAFT, List.of(END), 3);
        try (Bigtable bigtable = open(cluster)) {
            Table table = bigtable.table("t");
            for (char row = 'a'; row <= 'z'; row++) {
                rows.add("" + row);
                table.apply(RowMutation.of("" + row).set("f", "q", "value").build());
            }
        }
    }

    @AfterEach
    void stop() {
        cluster.close();
    }

    /** Else its server would have nothing to do until the whole page has come. */
    @Test
    void isAskedForOnceItsPlaceIsKnownAndNoMoreThanOne() throws Exception {
        HoldingNetwork network = new HoldingNetwork();
        try (Bigtable bigtable = open(network);
                Scanner scanner = bigtable.table("t").scan(PAGES_OF_A_ROW).onPage(() -> network.taken++)) {
            List<String> read = new ArrayList<>();
            for (Optional<Row> row = scanner.next(); row.isPresent(); row = scanner.next()) {
                read.add(row.get().key().toUtf8());
                // One waits with what it holds for as long as the application likes.
                assertThat(network.asked - network.taken).isLessThanOrEqualTo(1);
            }
            assertThat(read).isEqualTo(rows);
            assertThat(network.mostAsked).isEqualTo(2);
            // None was asked for in vain, or again.
            assertThat(network.asked).isEqualTo(network.taken);
        }
    }

    /** Rows downwards are asked for up to the edge. */
    @Test
    void isAskedForDownwardsToo() throws Exception {
        List<String> downwards = new ArrayList<>(rows);
        Collections.reverse(downwards);
        HoldingNetwork network = new HoldingNetwork();
        try (Bigtable bigtable = open(network)) {
            assertThat(read(bigtable, PAGES_OF_A_ROW.reversed())).isEqualTo(downwards);
        }
    }

    /** No row is read twice or not at all because the page before had to be asked for again. */
    @Test
    void isLetGoWhereThePageBeforeItFails() throws Exception {
        Set<Bytes> failed = new HashSet<>();
        TellingNetwork network = new TellingNetwork(edge -> edge) {
            @Override
            CompletableFuture<Answer> given(Request.Scan request, Page page) {
                return failed.add(request.walk().next())
                        ? CompletableFuture.failedFuture(new UnavailableException("not now", Outcome.NOT_APPLIED))
                        : CompletableFuture.completedFuture(page);
            }
        };
        try (Bigtable bigtable = open(network)) {
            assertThat(read(bigtable, PAGES_OF_A_ROW)).isEqualTo(rows);
            assertThat(failed).hasSizeGreaterThan(20);
        }
    }

    /** Its checksum was not known when it was told. */
    @Test
    void isLetGoWhereItsPlaceWasToldWrong() throws Exception {
        try (Bigtable bigtable = open(
                new TellingNetwork(edge -> Bytes.utf8("" + (char) (edge.toUtf8().charAt(0) + 2))))) {
            assertThat(read(bigtable, PAGES_OF_A_ROW)).isEqualTo(rows);
        }
    }

    private List<String> read(Bigtable bigtable, Scan scan) throws BigtableException {
        try (Scanner scanner = bigtable.table("t").scan(scan)) {
            return scanner.stream().map(row -> row.key().toUtf8()).toList();
        }
    }

    private Bigtable open(Network network) {
        ClientOptions options =
                ClientOptions.DEFAULT.pageTimeout(Duration.ofSeconds(5)).requestTimeout(Duration.ofSeconds(1));
        return Bigtable.over(network, cluster.locks, cluster.scheduler, new SecureRandom(), options);
    }

    /** Tells the edge of each page, or another one, when it is asked for. */
    private class TellingNetwork implements Network {
        int asked;
        private final UnaryOperator<Bytes> told;

        TellingNetwork(UnaryOperator<Bytes> told) {
            this.told = told;
        }

        CompletableFuture<Answer> given(Request.Scan request, Page page) {
            return CompletableFuture.completedFuture(page);
        }

        /** The first page of each tablet, and what is asked for again, is among these. */
        @Override
        public CompletableFuture<Answer> send(Address to, Request request, long timeoutMillis) {
            asked += request instanceof Request.Scan scan && scan.tableId() == TABLE ? 1 : 0;
            return cluster.send(to, request, timeoutMillis);
        }

        @Override
        public CompletableFuture<Answer> send(
                Address to, Request.Scan request, long timeoutMillis, Consumer<Bytes> edge) {
            return cluster.send(to, request, timeoutMillis).thenCompose(answer -> {
                Page page = (Page) answer;
                page.next().ifPresent(at -> edge.accept(told.apply(at)));
                return given(request, page);
            });
        }
    }

    /** Gives a page that others of its tablet follow when the one behind it is asked for, and not before. */
    private final class HoldingNetwork extends TellingNetwork {
        private Runnable held = () -> {};
        private int taken;
        private int mostAsked;

        HoldingNetwork() {
            super(edge -> edge);
        }

        @Override
        CompletableFuture<Answer> given(Request.Scan request, Page page) {
            asked++;
            mostAsked = Math.max(mostAsked, asked - taken);
            held.run();
            CompletableFuture<Answer> late = new CompletableFuture<>();
            held = () -> late.complete(page);
            if (page.next().isEmpty() || page.next().get().equals(END.successor())) {
                held.run();
            }
            return late;
        }
    }
}
