package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.client.Admin;
import bt.client.Bigtable;
import bt.client.Table;
import bt.client.TabletInfo;
import bt.command.ExitCode;
import bt.main.CommandLines.Result;
import bt.main.Specification.Step;
import bt.model.RowMutation;
import bt.record.ServerLine;
import java.io.IOException;
import java.util.List;

/**
 * The pages of the specification on one cluster, whichever it is: every answer is the one that is written, and stays it
 * whatever becomes of memtables, files and tablets.
 */
final class SpecificationRun {
    private static final String TABLE = "spec";

    /** Rows that pages write lie before, between and behind them. */
    private static final List<Bytes> SPLITS = List.of(Bytes.utf8("d4"), Bytes.utf8("f.com.cnn.money"));

    private final Bigtable bigtable;
    private final CommandLines bt;
    private final List<Specification> pages;

    SpecificationRun(Bigtable bigtable) throws IOException {
        this.bigtable = bigtable;
        bt = CommandLines.over(bigtable);
        pages = Specification.all();
        assertThat(pages).hasSizeGreaterThan(3);
    }

    /** On a cluster without the table. */
    void run() throws Exception {
        Result created = bt.run("create", TABLE, "all", "two:versions=2", "far:group=far", "--group", "far:codec=none");
        assertThat(created.code()).as(created.err()).isEqualTo(ExitCode.DONE);
        for (Specification page : pages) {
            page.steps().forEach(step -> check(page, step, "as written"));
        }

        Admin admin = bigtable.admin();
        admin.flush(TABLE);
        readAgain("from files");

        compact();
        readAgain("after compactions");

        for (Bytes row : SPLITS) {
            admin.splitTablet(TABLE, row);
        }
        assertThat(bigtable.table(TABLE).tablets()).hasSize(SPLITS.size() + 1);
        readAgain("after splits");

        if (servers().size() > 1) {
            move();
            readAgain("after moves");
        }
    }

    /** Files enough that the server merges them, with what the pages wrote. */
    private void compact() throws Exception {
        Table table = bigtable.table(TABLE);
        for (int i = 0; i < 6; i++) {
            table.apply(RowMutation.of("~bystander").set("all", "q" + i, "v").build());
            table.apply(RowMutation.of("~bystander").set("far", "q" + i, "v").build());
            bigtable.admin().flush(TABLE);
        }
    }

    /** Every tablet to a server that does not serve it. */
    private void move() throws Exception {
        for (TabletInfo tablet : bigtable.table(TABLE).tablets()) {
            String from = tablet.server().orElseThrow();
            String to = servers().stream()
                    .filter(server -> !server.equals(from))
                    .findFirst()
                    .orElseThrow();
            Bytes first = tablet.range().start();
            bigtable.admin().moveTablet(TABLE, first.isEmpty() ? Bytes.utf8("a") : first, to);
            assertThat(bigtable.table(TABLE).tablets())
                    .as("%s moved from %s to %s", tablet.range(), from, to)
                    .anyMatch(moved -> moved.range().equals(tablet.range())
                            && moved.server().orElse("").equals(to));
        }
    }

    private List<String> servers() throws Exception {
        return bigtable.admin().clusterStatus().getServers().stream()
                .map(ServerLine::getAddress)
                .toList();
    }

    private void readAgain(String when) {
        for (Specification page : pages) {
            page.steps().stream().filter(Step::isRead).forEach(step -> check(page, step, when));
        }
    }

    private void check(Specification page, Step step, String when) {
        Result result = bt.run(step.words().toArray(String[]::new));
        String about = page.topic() + ", " + when + ": " + String.join(" ", step.words());
        String first = step.answer().isEmpty() ? "" : step.answer().get(0);
        if (first.startsWith("! ")) {
            assertThat(result.code()).as(about).isEqualTo(ExitCode.REJECTED);
            assertThat(result.err()).as(about).contains(first.substring(2));
        } else if (first.equals("(nothing)")) {
            assertThat(result).as(about).isEqualTo(new Result(ExitCode.NOTHING_FOUND, "", ""));
        } else {
            assertThat(result.err()).as(about).isEmpty();
            assertThat(result.out().replace("\t", " | ").lines().toList())
                    .as(about)
                    .isEqualTo(step.answer());
        }
    }
}
