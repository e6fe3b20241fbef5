package bt.client;

import static bt.base.Check.checkState;

import bt.base.BigtableException;
import bt.base.Bytes;
import bt.base.Deadline;
import bt.base.UnavailableException;
import bt.metadata.TabletPlace;
import bt.model.Filter;
import bt.model.RowWalk;
import bt.model.TableSchema;
import bt.protocol.Answer;
import bt.protocol.Answer.Page;
import bt.protocol.PageBounds;
import bt.protocol.Request;
import bt.protocol.RowResume;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * The pages of a walk over rows, from tablet to tablet, one request at a time. Servers hold nothing for it: it says
 * itself where to go on, so tablets may move, split and be merged meanwhile. One thread.
 */
final class RowPages {
    private final Session session;
    private final TableSchema table;
    private final Filter filter;
    private RowWalk rest;
    private Optional<RowResume> resume = Optional.empty();

    /** Asked for before anybody wants it. */
    private Optional<Ahead> ahead = Optional.empty();

    /** Asked for by who wants it. */
    private Optional<Sent> wanted = Optional.empty();

    /** What was asked for, if anything was, once the page that is wanted began to come; made on whatever thread that came to. */
    private Optional<CompletableFuture<Optional<Following>>> following = Optional.empty();

    private Supplier<Deadline> time;

    RowPages(Session session, TableSchema table, Filter filter, RowWalk walk) {
        this.session = session;
        this.table = table;
        this.filter = filter;
        this.rest = walk;
        this.time = session::pageDeadline;
    }

    /** Each page within this time instead of that of a page of a scan. */
    RowPages within(Supplier<Deadline> most) {
        time = most;
        return this;
    }

    /** Before the first page: the first row goes on where a page ended, if one did there. */
    RowPages from(Optional<RowResume> place) {
        resume = place;
        return this;
    }

    boolean isFinished() {
        return rest.isEmpty();
    }

    /** Whether the last page ended inside a row. */
    boolean isInsideRow() {
        return resume.isPresent();
    }

    /** Where in its first row what is left begins, if that has begun. */
    Optional<RowResume> resume() {
        return resume;
    }

    /** Of a walk that has begun and is not finished: its edge. */
    Bytes edge() {
        return rest.edge();
    }

    /** Reads the row in which the last page ended again from its first cell. */
    void restartRow() {
        resume = Optional.empty();
    }

    /** Goes on behind where the last page ended, in the row as it is by then. */
    void goOnInLatestRow() {
        resume = resume.map(RowResume::latest);
    }

    /** Asks for the next page, where that needs no look-up and there is room for it: nobody has waited for it yet. */
    void askAhead(PageBounds bounds, PageRoom room) {
        if (ahead.isEmpty() && !isFinished()) {
            CompletableFuture<Bytes> edge = new CompletableFuture<>();
            ahead = session.locator().cached(table.id(), rest.next()).flatMap(place -> room.ahead(
                            bounds.bytes(), () -> send(place, rest, resume, bounds, edge))
                    .map(page -> new Ahead(place, page, edge)));
        }
    }

    /** The page that was asked for ahead is wanted now, and its room is there. */
    void claim(PageRoom room) {
        wanted = wanted.or(() -> ahead.flatMap(asked ->
                room.claim(asked.page()).map(answer -> new Sent(asked.place(), answer, Optional.of(asked.edge())))));
        ahead = Optional.empty();
    }

    /** Asks for the page that is wanted now, where that needs no look-up and it was not asked for ahead. */
    void ask(PageBounds bounds) {
        if (wanted.isEmpty()) {
            CompletableFuture<Bytes> edge = new CompletableFuture<>();
            wanted = session.locator()
                    .cached(table.id(), rest.next())
                    .map(place -> new Sent(place, send(place, rest, resume, bounds, edge), Optional.of(edge)));
        }
    }

    /**
     * As soon as the page that is wanted begins to come, the one behind it is asked for, if that has rows in the same tablet: its
     * server reads it while this one is on its way.
     */
    void askBehind(PageBounds bounds) {
        RowWalk walk = rest;
        following = wanted.flatMap(
                sent -> sent.edge().map(edge -> edge.thenApply(at -> follow(sent.place(), walk, at, bounds))));
    }

    /** The next page: the one that was asked for, or one of these bounds. After a failure it goes on where it stood. */
    Page next(PageBounds bounds) throws BigtableException, InterruptedException {
        checkState(!isFinished(), "table %s: there is no page behind the last", table.name());
        Page page = session.retry().ofReads().run(this::subject, time.get(), deadline -> attempt(bounds, deadline));
        resume = page.resume();
        rest = page.next().map(rest::from).orElse(RowWalk.NONE);
        // Whatever was told of it was told before it came.
        ahead = following
                .flatMap(asked -> asked.getNow(Optional.empty()))
                .filter(asked -> resume.isEmpty() && page.next().equals(Optional.of(asked.edge())))
                .map(Following::page);
        following = Optional.empty();
        return page;
    }

    private Page attempt(PageBounds bounds, Deadline deadline) throws BigtableException, InterruptedException {
        Optional<Sent> asked = wanted;
        wanted = Optional.empty();
        if (asked.isEmpty()) {
            // Not behind a page that nobody has.
            following = Optional.empty();
        }
        Sent sent = asked.isPresent() ? asked.get() : sendNow(bounds, deadline);
        try {
            return session.rowCalls().await(sent.place().address(), sent.answer(), Page.class, deadline);
        } catch (UnavailableException stale) {
            session.locator().forget(sent.place());
            throw stale;
        }
    }

    private Sent sendNow(PageBounds bounds, Deadline deadline) throws BigtableException, InterruptedException {
        TabletPlace place = session.locate(table, rest.next(), deadline);
        return new Sent(place, send(place, bounds, deadline), Optional.empty());
    }

    /** On any thread. */
    private Optional<Following> follow(TabletPlace place, RowWalk walk, Bytes edge, PageBounds bounds) {
        RowWalk behind = walk.from(edge);
        if (behind.isEmpty() || !place.range().contains(behind.next())) {
            return Optional.empty();
        }
        CompletableFuture<Bytes> next = new CompletableFuture<>();
        AheadPage page = new AheadPage();
        page.asked(send(place, behind, Optional.empty(), bounds, next));
        return Optional.of(new Following(edge, new Ahead(place, page, next)));
    }

    private CompletableFuture<Answer> send(TabletPlace place, PageBounds bounds, Deadline deadline) {
        Request.Scan request = new Request.Scan(table.id(), rest, filter, bounds, resume);
        return session.rowCalls().send(place.address(), request, deadline);
    }

    private CompletableFuture<Answer> send(
            TabletPlace place,
            RowWalk walk,
            Optional<RowResume> from,
            PageBounds bounds,
            CompletableFuture<Bytes> edge) {
        Request.Scan request = new Request.Scan(table.id(), walk, filter, bounds, from);
        return session.rowCalls().send(place.address(), request, time.get(), edge::complete);
    }

    private String subject() {
        return "table " + table.name() + " from row " + rest.next().brief();
    }

    /** A page that was asked for where its rows were; its edge, where it is told before the page has come. */
    private record Sent(TabletPlace place, CompletableFuture<Answer> answer, Optional<CompletableFuture<Bytes>> edge) {}

    /** The same, before anybody wants it. */
    private record Ahead(TabletPlace place, AheadPage page, CompletableFuture<Bytes> edge) {}

    /** The page behind one that ends there. */
    private record Following(Bytes edge, Ahead page) {}
}
