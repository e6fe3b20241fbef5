package bt.shell;

import bt.base.BigtableException;
import bt.base.Clock;
import bt.base.UnavailableException;
import bt.client.Scan;
import bt.client.Scanner;
import bt.client.Table;
import bt.client.TabletInfo;
import bt.command.Command;
import bt.command.ExitCode;
import bt.command.Invocation;
import bt.model.Filter;
import bt.model.Selection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code bt count}. */
@picocli.CommandLine.Command(
        name = "count",
        description =
                "Counts rows, and says every two seconds how far it is; no values leave the servers, unless the filter is"
                        + " so large that nothing fits beside it.",
        footerHeading = Command.EXAMPLES,
        footer = {
            "  bt count webtable",
            "  bt count webtable --prefix com.cnn",
            "  bt count webtable --filter 'family=anchor'"
        })
public final class CountCommand implements Command {
    @Parameters(paramLabel = "TABLE")
    private String name = "";

    @Mixin
    private RowRangeOptions rows = new RowRangeOptions();

    @Mixin
    private FilterOption filter = new FilterOption();

    @Override
    public Group group() {
        return Group.DATA;
    }

    @Override
    public int run(Invocation invocation) throws Exception {
        Filter counted = counted(filter.selection(Optional.empty(), Optional.empty(), invocation));
        Table table = Connected.to(invocation).table(name);
        long count =
                count(table, Scan.of(rows.rows()).filtered(counted), new Progress(invocation.err(), Clock.system()));
        if (invocation.json()) {
            Json.print(invocation.out(), Map.of("rows", count));
        } else {
            invocation.out().println(count);
        }
        return ExitCode.DONE;
    }

    /** One cell of each row without its value is enough to see that it is there. */
    static Filter counted(Selection asked) {
        try {
            return asked.then(Filter.chain(List.of(new Filter.First(1), new Filter.Keys())))
                    .filter();
        } catch (IllegalArgumentException tooLarge) {
            // What may be read may be counted: all that passes comes then.
            return asked.filter();
        }
    }

    /** It is told page by page how far it is: no row may pass the filter for long. */
    static long count(Table table, Scan scan, Progress progress) throws BigtableException {
        List<TabletInfo> tablets = table.tablets();
        AtomicLong count = new AtomicLong();
        try (Scanner scanner = table.scan(scan)) {
            scanner.onPage(() -> progress.say(() -> text(count.get(), scanner, tablets)));
            while (scanner.next().isPresent()) {
                checkWanted(table, count.incrementAndGet());
            }
        }
        return count.get();
    }

    private static String text(long count, Scanner scanner, List<TabletInfo> tablets) {
        return count + " rows counted, " + scanner.rowsSeen() + " seen"
                + scanner.reached()
                        .map(row -> ", up to " + row + ", " + Progress.tablets(tablets, row))
                        .orElse("");
    }

    /** A count that was broken off is no count. */
    private static void checkWanted(Table table, long count) throws UnavailableException {
        if (Thread.currentThread().isInterrupted()) {
            throw new UnavailableException("count of table " + table.schema().name() + ": interrupted after " + count
                    + " rows, and part of them is no count: begin it again");
        }
    }
}
