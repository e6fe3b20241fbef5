package bt.master;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.AvroBytes;
import bt.base.Bytes;
import bt.master.SplitSteps.Step;
import bt.model.TabletId;
import bt.record.SplitFile;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which tablet of a table is split next. */
class SplitStepsTest {
    private static final SplitFile EVERYWHERE = new SplitFile(5L, "t", List.of(), true, null, null);

    private static TabletEnds ends(String... rows) {
        Set<TabletId> tablets = new HashSet<>(Set.of(new TabletId(5, Optional.empty())));
        Stream.of(rows).forEach(row -> tablets.add(new TabletId(5, Optional.of(Bytes.utf8(row)))));
        return TabletEnds.of(tablets).orElseThrow();
    }

    private static String text(Step step) {
        return step.tablet().previousEndRow().map(Bytes::toString).orElse("…") + "-"
                + step.tablet().endRow().map(Bytes::toString).orElse("…");
    }

    private static Optional<Step> first(SplitFile file, TabletEnds ends) {
        return SplitSteps.next(file, ends).findFirst();
    }

    @Test
    void withoutTheLastTabletNobodyKnowsAll() {
        assertThat(TabletEnds.of(Set.of(new TabletId(5, Optional.of(Bytes.utf8("a"))))))
                .isEmpty();
    }

    @Test
    void eachTabletIsTheNextOnceAlthoughHalvesComeBetween() {
        TreeSet<String> rows = new TreeSet<>(Set.of("d", "k"));
        List<String> split = new ArrayList<>();
        SplitFile file = EVERYWHERE;
        while (true) {
            TabletEnds ends = ends(rows.toArray(String[]::new));
            file = SplitSteps.settled(file, ends);
            Optional<Step> next = first(file, ends);
            if (next.isEmpty()) {
                break;
            }
            file = SplitSteps.begun(file, next.get());
            split.add(text(next.get()));
            // Its server did it, and nobody heard the answer: what METADATA shows tells.
            rows.add(next.get().tablet().previousEndRow().map(Bytes::toUtf8).orElse("") + "a");
        }
        assertThat(split).containsExactly("…-d", "d-k", "k-…");
        assertThat(rows).containsExactly("a", "d", "da", "k", "ka");
    }

    @Test
    void whatCannotBeSplitIsLeftBehind() {
        TabletEnds ends = ends("d");
        SplitFile file = EVERYWHERE;
        List<String> tried = new ArrayList<>();
        for (Optional<Step> next = first(file, ends); next.isPresent(); next = first(file, ends)) {
            tried.add(text(next.get()));
            file = SplitSteps.ended(SplitSteps.begun(file, next.get()), next.get());
        }
        assertThat(tried).containsExactly("…-d", "d-…");
    }

    @Test
    void aRowThatEndsATabletIsDone() {
        SplitFile file = new SplitFile(
                5L,
                "t",
                List.of(AvroBytes.buffer(Bytes.utf8("d")), AvroBytes.buffer(Bytes.utf8("f"))),
                false,
                null,
                null);
        SplitFile left = SplitSteps.settled(file, ends("d", "k"));
        Step next = first(left, ends("d", "k")).orElseThrow();
        assertThat(text(next)).isEqualTo("d-k");
        assertThat(next.row()).contains(Bytes.utf8("f"));
        assertThat(first(SplitSteps.ended(left, next), ends("d", "k"))).isEmpty();
    }

    @Test
    void whereTheEndOfThePassedTabletHasBeenMergedAwayTheNextOneIsSplitAsItIs() {
        Step first = first(EVERYWHERE, ends("d", "k")).orElseThrow();
        SplitFile passed = SplitSteps.ended(SplitSteps.begun(EVERYWHERE, first), first);
        Step merged = first(SplitSteps.settled(passed, ends("k")), ends("k")).orElseThrow();
        assertThat(text(merged)).isEqualTo("…-k");

        SplitFile begun = SplitSteps.begun(passed, merged);
        assertThat(text(first(SplitSteps.settled(begun, ends("e", "k")), ends("e", "k"))
                        .orElseThrow()))
                .as("what is left when it has been split behind e")
                .isEqualTo("k-…");
        SplitFile last = SplitSteps.ended(begun, merged);
        assertThat(text(first(SplitSteps.settled(last, ends()), ends()).orElseThrow()))
                .as("when all have been merged")
                .isEqualTo("…-…");
    }

    @Test
    void aRowThatHasFailedIsTriedAfterTheOthers() {
        SplitFile file = new SplitFile(
                5L,
                "t",
                List.of(AvroBytes.buffer(Bytes.utf8("d")), AvroBytes.buffer(Bytes.utf8("f"))),
                true,
                null,
                null);
        SplitFile failed = SplitSteps.failed(file, first(file, ends()).orElseThrow());
        assertThat(SplitSteps.next(failed, ends()).map(Step::row))
                .containsExactly(Optional.of(Bytes.utf8("f")), Optional.of(Bytes.utf8("d")), Optional.empty());
    }
}
