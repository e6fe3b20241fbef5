package bt.examples.bench;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.fs.local.LocalFileStore;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CodecTrialTest {
    private static final String HEAD =
            "<html><head><link rel=\"stylesheet\" href=\"style.css\"><title>a page of a site that has"
                    + " many pages, all of which begin alike</title></head><body><p>this one has the number ";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"none,0.9,1.0", "lz4,2,200", "zstd,5,200", "zstd-dict,5,200", "two-pass,5,200"})
    void findsRatioAndSpeed(String codec, double leastRatio, double mostRatio) throws Exception {
        SortedMap<Bytes, Bytes> pages = new TreeMap<>();
        for (int i = 0; i < 3000; i++) {
            pages.put(Bytes.utf8(String.format("page%05d", i)), Bytes.utf8(HEAD + Integer.toString(i * 7919, 36)));
        }
        LocalFileStore store = LocalFileStore.open(directory);
        CodecTrial trial = new CodecTrial(codec, pages, store);
        trial.run(false);
        trial.run(true);
        Result result = trial.result();
        assertThat(result.name()).isEqualTo(codec);
        assertThat(result.figure(Figure.RATIO).orElseThrow()).isBetween(leastRatio, mostRatio);
        assertThat(result.figure(Figure.ENCODE_MB_PER_SECOND).orElseThrow()).isPositive();
        assertThat(result.figure(Figure.DECODE_MB_PER_SECOND).orElseThrow()).isPositive();
        assertThat(directory.resolve(codec)).doesNotExist();
        assertThat(new Report("codecs", Machine.here(), List.of(result)).json())
                .contains("\"bench\"", "\"machine\"", "\"results\"")
                .contains("\"name\"", "\"" + codec + "\"")
                .contains("\"ratio\"", "\"encodeMbPerSecond\"", "\"decodeMbPerSecond\"");
    }

    @Test
    void everyCodecThatTheReportNamesIsTried() {
        assertThat(CodecsCommand.CODECS).containsExactly("none", "lz4", "zstd", "zstd-dict", "two-pass");
    }
}
