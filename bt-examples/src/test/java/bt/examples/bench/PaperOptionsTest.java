package bt.examples.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.command.UsageException;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class PaperOptionsTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--rows 99 | --rows 99: write a number from 100 to 1000000000",
                "--rows 1000000001 | --rows 1000000001: write a number",
                "--clients 0 | --clients 0: write a number from 1 to 1000",
                "--processes 101 | --processes 101: write a number from 1 to 100",
                "--minicluster --servers 1,11 | --servers 11: write a number from 1 to 10",
                "--rate -1 | --rate -1: write a number from 0",
                "--warm-up NaN | --warm-up NaN: write seconds, 0 (one pass) to 3600",
                "--warm-up Infinity | --warm-up Infinity: write seconds",
                "--servers 2 | say what --minicluster has",
                "--local-cache 0 | say what --minicluster has",
                "--durability none | --durability none: write sync or flush",
                "--only scans | there is no workload scans: name one of sequential write, random write",
                "--only hdfs_append | write --only \"random write,hdfs append\"",
                "--only hdfs_append_(batched) | write --only \"sequential write (batched),hdfs append (batched)\"",
                "--rate 10 --only scan | --rate 10 is for operations of one row, and of scan there are none: leave it out",
                "--minicluster --block-cache 5MB | --block-cache 5MB: write bytes, or percent",
                "--minicluster --block-cache 999% | more than half of a server's heap: write 805306368 at most",
                "--minicluster --block-cache 900000000000 | more than half of a server's heap",
                "--minicluster --local-cache -1 | --local-cache -1: write a number from 0",
                "--minicluster --local-cache 0 | --local-cache 0: sequential read is measured with one",
                "--minicluster --rows 10000000 --only random_read_(mem) | random read (mem) takes 1050000000 bytes",
                "--minicluster --rows 4000000 --only scan_(cache) | scan (cache) takes 840000000 bytes",
            })
    void whatIsOutOfBoundsIsRefusedByItsName(String words, String message) {
        assertThatThrownBy(() -> options(words).check())
                .isInstanceOf(UsageException.class)
                .hasMessageStartingWith("bench paper: ")
                .hasMessageContaining(message);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--rows 100 --clients 1 --processes 1 --rate 0 --warm-up 0",
                "--minicluster --rows 100 --clients 1000 --processes 100 --servers 1,10 --rate 10000000 --warm-up 3600",
                "--minicluster --local-cache 0 --only random_write,scan_(tcp),random_read_(mem)",
                "--minicluster --rows 10000000 --only random_write,hdfs_append",
                "--minicluster --block-cache 805306368 --local-cache 1099511627776",
            })
    void whatIsWithinIsTaken(String words) {
        assertThatCode(() -> options(words).check()).doesNotThrowAnyException();
    }

    @Test
    void aReportTellsWhatWasAskedFor() throws UsageException {
        assertThat(options("--minicluster --rows 1000 --rate 7 --durability sync")
                        .fields())
                .containsEntry("rows", 1_000L)
                .containsEntry("clients", 16)
                .containsEntry("rate", 7L)
                .containsEntry("durability", "sync")
                .containsEntry("blockCacheBytes", 52_500L);
        assertThat(options("--rows 1000").fields()).doesNotContainKey("blockCacheBytes");
    }

    @Test
    void aServerMoreHasClientsOfItsOwn() throws UsageException {
        assertThat(options("--processes 2 --clients 3").load(2).clients()).isEqualTo(12);
    }

    /** An underscore stands for a blank inside a word. */
    private static PaperOptions options(String words) {
        List<String> all = Arrays.stream(words.split(" "))
                .map(word -> word.replace('_', ' '))
                .toList();
        return CommandLine.populateCommand(new PaperOptions(), all.toArray(String[]::new));
    }
}
