package bt.tablet;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.base.CorruptionException;
import bt.base.Slice;
import bt.model.Filter;
import bt.model.RowMutation;
import bt.model.RowRange;
import bt.model.TableSchema;
import bt.record.FileReference;
import bt.testing.SeededTest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class OpenWritesTest {
    private static final TableSchema SCHEMA = RandomTable.schema(4);
    private static final OpenWrite EXAMPLE = new OpenWrite(Bytes.utf8("r"), 3, new OpenWrite.Author(5, 6, 4), 9, 7);

    @SeededTest(runs = 50)
    void whatWasOpenIsReadOfTheRowsAskedFor(RandomGenerator random) throws Exception {
        TabletFixture fixture = new TabletFixture(SCHEMA);
        long now = fixture.clock.micros();
        List<OpenWrite> open = new ArrayList<>();
        for (int i = 1; i <= random.nextInt(1, 50); i++) {
            byte[] row = new byte[random.nextInt(1, 4)];
            random.nextBytes(row);
            OpenWrite.Author author = new OpenWrite.Author(random.nextLong(), i, random.nextInt(i + 1));
            open.add(new OpenWrite(Bytes.wrap(row), i, author, random.nextLong(), now - i));
        }
        FileReference file = OpenWrites.write(open, SCHEMA, fixture.context).orElseThrow();
        RowRange upper = RowRange.from(Bytes.hex("80"));
        for (RowRange range : List.of(RowRange.ALL, upper)) {
            assertThat(OpenWrites.read(List.of(file), range, fixture.context))
                    .isSortedAccordingTo(Comparator.comparing(OpenWrite::row))
                    .containsExactlyInAnyOrderElementsOf(open.stream()
                            .filter(write -> range.contains(write.row()))
                            .toList());
        }
        FileReference clipped = FileReference.newBuilder(file)
                .setClipStart(Bytes.hex("80").toBuffer())
                .build();
        assertThat(OpenWrites.read(List.of(clipped), RowRange.ALL, fixture.context))
                .allMatch(write -> upper.contains(write.row()));
    }

    /** Of a tablet that is split, too: the other half takes retries of the same client. */
    @Test
    void aLostWriteIsReadWhateverRowsAreAskedFor() throws Exception {
        TabletFixture fixture = new TabletFixture(SCHEMA);
        OpenWrite write = new OpenWrite(Bytes.utf8("r"), 1, new OpenWrite.Author(1, 6, 4), 1, fixture.clock.micros());
        FileReference file = OpenWrites.write(List.of(write, write.lost()), SCHEMA, fixture.context)
                .orElseThrow();
        FileReference clipped = FileReference.newBuilder(file)
                .setClipStart(Bytes.utf8("s").toBuffer())
                .build();
        assertThat(OpenWrites.read(List.of(clipped), RowRange.ALL, fixture.context))
                .containsExactly(write.lost());
        assertThat(OpenWrites.read(List.of(file), RowRange.row(Bytes.utf8("a")), fixture.context))
                .containsExactly(write.lost());
    }

    @Test
    void afterTenMinutesNobodyAsks() throws Exception {
        TabletFixture fixture = new TabletFixture(SCHEMA);
        long now = fixture.clock.micros();
        List<OpenWrite> open = LongStream.of(now - OpenWrite.KEPT_MICROS, now - OpenWrite.KEPT_MICROS + 1)
                .mapToObj(micros ->
                        new OpenWrite(Bytes.utf8("r"), 1, new OpenWrite.Author(1, now - micros, 1), 1, micros))
                .toList();
        FileReference file = OpenWrites.write(open, SCHEMA, fixture.context).orElseThrow();
        assertThat(OpenWrites.read(List.of(file), RowRange.ALL, fixture.context))
                .containsExactly(open.get(1));
    }

    @Test
    void aTabletHasTheFileAndItsReadersDoNotSeeIt() throws Exception {
        TabletFixture fixture = new TabletFixture(SCHEMA);
        fixture.apply(RowMutation.of("r").set("all", "q", "v").build());
        fixture.flush();
        OpenWrite write = new OpenWrite(Bytes.utf8("r"), 1, new OpenWrite.Author(1, 1, 1), 1, 1);
        FileReference file =
                OpenWrites.write(List.of(write), SCHEMA, fixture.context).orElseThrow();
        List<FileReference> files = new ArrayList<>(fixture.state.getFiles());
        files.add(file);
        fixture.state.setFiles(files);
        fixture.reopen();
        assertThat(fixture.tablet.files()).isNotEmpty().doesNotContain(file);
        assertThat(fixture.tablet.read(ReadSpec.of(RowRange.ALL, Filter.ALL)).cells())
                .hasSize(1);
    }

    @Test
    void theExampleOfThePageIsWhatIsWritten() throws Exception {
        assertThat(OpenWrites.key(EXAMPLE).toHex() + OpenWrites.value(EXAMPLE).toHex())
                .isEqualTo(example());
        assertThat(OpenWrites.decode("f", Slice.of(OpenWrites.key(EXAMPLE)), Slice.of(OpenWrites.value(EXAMPLE))))
                .isEqualTo(EXAMPLE);
    }

    @Test
    void whatIsNoOpenWriteIsDamage() {
        Bytes key = OpenWrites.key(EXAMPLE);
        Slice value = Slice.of(OpenWrites.value(EXAMPLE));
        assertThatThrownBy(() -> OpenWrites.decode("f", Slice.of(key), Slice.of(Bytes.utf8("short"))))
                .isInstanceOf(CorruptionException.class);
        byte[] ghost = key.toArray();
        ghost[ghost.length - 1] = 7;
        assertThatThrownBy(() -> OpenWrites.decode("f", Slice.of(Bytes.wrap(ghost)), value))
                .isInstanceOf(CorruptionException.class)
                .hasMessageContaining("GHOST");
    }

    private static String example() throws Exception {
        String page = Files.readString(Path.of("../docs/formats/open-writes.md"));
        Matcher block =
                Pattern.compile("```open-writes\n(.*?)```", Pattern.DOTALL).matcher(page);
        assertThat(block.find()).isTrue();
        StringBuilder digits = new StringBuilder();
        for (String line : block.group(1).split("\n", -1)) {
            digits.append(line.split("   ", 2)[0].replace(" ", ""));
        }
        return digits.toString();
    }
}
