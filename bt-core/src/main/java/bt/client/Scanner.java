package bt.client;

import bt.base.BigtableException;
import bt.base.BigtableException.Outcome;
import bt.base.Deadline;
import bt.base.RejectedException;
import bt.base.UnavailableException;
import bt.metadata.TabletPlace;
import bt.model.Row;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.protocol.Answer;
import bt.protocol.Answer.Page;
import bt.protocol.Request;
import bt.protocol.RowAssembler;
import bt.protocol.RowResume;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Rows in order of their keys, whole and each once (figure 3 of the paper). Each row is as it was at one moment, different
 * rows at different ones. One thread. Servers hold nothing for a scanner: it may pause for as long as it likes. While the
 * application eats one page, the next is on its way.
 */
public final class Scanner implements AutoCloseable {
    /** How often a row larger than a page is begun again because a compaction overtook its reading. */
    private static final int RESTARTS_OF_A_ROW = 3;

    private final Session session;
    private final TableSchema table;
    private final Scan scan;
    private final RowAssembler assembler = new RowAssembler();
    private final Deque<Row> ready = new ArrayDeque<>();
    private RowRange rest;
    private Optional<RowResume> resume = Optional.empty();
    private boolean finished;
    private @Nullable Ahead ahead;
    private long rowsSeen;
    private long cellsSeen;
    private int restarts;

    Scanner(Session session, TableSchema table, Scan scan) {
        this.session = session;
        this.table = table;
        this.scan = scan;
        this.rest = scan.range();
        this.finished = scan.range().isEmpty();
    }

    /** The next row; empty after the last. After a failure it may be called again and goes on where it stood. */
    public Optional<Row> next() throws BigtableException {
        while (ready.isEmpty() && !finished) {
            take(Session.uninterrupted(subject(), Outcome.NOT_APPLIED, this::page));
        }
        return Optional.ofNullable(ready.poll());
    }

    /** Rows that the filter was shown so far, in pages received. */
    public long rowsSeen() {
        return rowsSeen;
    }

    /** Cells that the filter was shown so far, in pages received. */
    public long cellsSeen() {
        return cellsSeen;
    }

    /** Ends the scan. */
    @Override
    public void close() {
        finished = true;
        ready.clear();
        assembler.drop();
        ahead = null;
    }

    private Page page() throws BigtableException, InterruptedException {
        while (true) {
            try {
                return session.retry().run(subject(), this::attempt);
            } catch (RejectedException refused) {
                if (resume.isEmpty() || restarts++ >= RESTARTS_OF_A_ROW) {
                    throw refused;
                }
                // What the row's first page saw is compacted away. The row is read again from its first cell.
                assembler.drop();
                resume = Optional.empty();
            }
        }
    }

    private Page attempt(Deadline deadline) throws BigtableException, InterruptedException {
        Ahead sent = ahead;
        ahead = null;
        if (sent == null) {
            sent = send(session.locate(table, rest.start(), deadline), deadline);
        }
        try {
            return session.calls().await(sent.place().address(), sent.answer(), Page.class, deadline);
        } catch (UnavailableException stale) {
            session.locator().forget(sent.place());
            throw stale;
        }
    }

    private void take(Page page) {
        ready.addAll(assembler.add(page));
        rowsSeen += page.rowsSeen();
        cellsSeen += page.cellsSeen();
        resume = page.resume();
        if (resume.isEmpty()) {
            restarts = 0;
        }
        if (page.next().isEmpty()) {
            finished = true;
            return;
        }
        rest = new RowRange(page.next().get(), rest.end());
        // Only where it needs no look-up: that would make the application wait for what it has not asked for yet.
        session.locator().cached(table.id(), rest.start()).ifPresent(place -> ahead = send(place, session.deadline()));
    }

    private Ahead send(TabletPlace place, Deadline deadline) {
        Request.Scan request = new Request.Scan(table.id(), rest, scan.filter(), scan.page(), resume);
        return new Ahead(place, session.calls().send(place.address(), request, deadline));
    }

    private String subject() {
        return "table " + table.name() + " from row " + rest.start();
    }

    /** A page that was asked for. */
    private record Ahead(TabletPlace place, CompletableFuture<Answer> answer) {}
}
