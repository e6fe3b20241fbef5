package bt.main;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.client.Admin;
import bt.client.Table;
import bt.command.ExitCode;
import bt.main.CommandLines.Result;
import bt.main.Specification.Step;
import bt.model.RowMutation;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The pages of the specification hold, and go on to hold whatever becomes of memtables, files and tablets. */
class SpecificationIT {
    private static final String TABLE = "spec";

    @Test
    void answersStayWhatTheyAreThroughFlushesCompactionsAndSplits() throws Exception {
        List<Specification> pages = Specification.all();
        assertThat(pages).hasSizeGreaterThan(3);
        try (MiniBigtable cluster = MiniBigtable.start()) {
            CommandLines bt = new CommandLines(cluster.at());
            assertThat(bt.run("create", TABLE, "all", "two:versions=2", "far:group=far", "--group", "far:codec=none")
                            .code())
                    .isEqualTo(ExitCode.DONE);
            for (Specification page : pages) {
                page.steps().forEach(step -> check(bt, page, step, "as written"));
            }

            Admin admin = cluster.bigtable().admin();
            admin.flush(TABLE);
            readAgain(bt, pages, "from files");

            compact(cluster);
            readAgain(bt, pages, "after compactions");

            admin.splitTablet(TABLE, Bytes.utf8("d4"));
            admin.splitTablet(TABLE, Bytes.utf8("f.com.cnn.money"));
            readAgain(bt, pages, "after splits");
        }
    }

    /** Files enough that the server merges them, with what the pages wrote. */
    private static void compact(MiniBigtable cluster) throws Exception {
        Table table = cluster.bigtable().table(TABLE);
        for (int i = 0; i < 6; i++) {
            table.apply(RowMutation.of("~bystander").set("all", "q" + i, "v").build());
            table.apply(RowMutation.of("~bystander").set("far", "q" + i, "v").build());
            cluster.bigtable().admin().flush(TABLE);
        }
    }

    private static void readAgain(CommandLines bt, List<Specification> pages, String when) {
        for (Specification page : pages) {
            page.steps().stream().filter(Step::isRead).forEach(step -> check(bt, page, step, when));
        }
    }

    private static void check(CommandLines bt, Specification page, Step step, String when) {
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
