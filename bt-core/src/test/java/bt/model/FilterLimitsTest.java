package bt.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.Bytes;
import bt.testing.LimitCases;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.IntFunction;
import org.junit.jupiter.api.Test;

/** Of each limit of filters in docs/guide/limits.md what just keeps it and what is one more, made by a program and by text. */
class FilterLimitsTest {
    @Test
    void fiveHundredParts() {
        // The chain itself is one.
        limit(
                Limits.FILTER_PARTS,
                parts -> new Filter.Chain(Collections.nCopies(parts - 1, new Filter.Keys())),
                "parts");
    }

    @Test
    void tenConditions() {
        limit(
                Limits.FILTER_CONDITIONS,
                conditions -> new Filter.Interleave(Collections.nCopies(
                        conditions, new Filter.Condition(new Filter.Keys(), Filter.ALL, new Filter.Latest(1)))),
                "conditions");
    }

    @Test
    void twentyDeep() {
        limit(
                Limits.FILTER_DEPTH,
                depth -> {
                    Filter filter = new Filter.Keys();
                    for (int deep = 1; deep < depth; deep++) {
                        List<Filter> parts = List.of(filter, new Filter.Latest(1));
                        filter = deep % 2 == 0 ? new Filter.Chain(parts) : new Filter.Interleave(parts);
                    }
                    return filter;
                },
                "nested deeper");
    }

    @Test
    void aNegationIsAPartAndAStepDown() {
        Filter keys = new Filter.Not(new Filter.Families(List.of("f")));
        int negations = (Limits.FILTER_PARTS - 1) / 2;
        assertThat(FilterSize.of(new Filter.Chain(Collections.nCopies(negations, keys))))
                .extracting(FilterSize::parts, FilterSize::depth)
                .containsExactly(2 * negations + 1, 3);
        assertThatThrownBy(() -> new Filter.Chain(Collections.nCopies(negations + 1, keys)))
                .hasMessageContaining("501 parts, more than 500");
    }

    @Test
    void twentyThousandBytes() {
        // Twenty for the part, five for the operand.
        limit(
                Limits.FILTER_BYTES,
                bytes -> new Filter.Families(List.of("f".repeat(bytes - 25))),
                "20481 bytes, more than 20480");
        List<ColumnKey> columns = new ArrayList<>();
        for (int column = 0; column < 2; column++) {
            columns.add(new ColumnKey("f", Bytes.wrap(new byte[10_000 + column])));
        }
        long bytes = FilterSize.of(new Filter.Columns(columns)).bytes();
        limit(
                Limits.FILTER_BYTES,
                most -> new Filter.Columns(List.of(
                        columns.get(0), new ColumnKey("f", Bytes.wrap(new byte[(int) (10_001 + most - bytes)])))),
                "20481 bytes, more than 20480");
    }

    @Test
    void twentyThousandStepsOfAllRegularExpressions() {
        limit(
                Limits.FILTER_STEPS,
                steps -> FilterText.parse(LimitCases.steps(steps)),
                "regular expressions unfold to 20001 steps together, more than 20000");
        // Each has a step for each byte at least, whatever a class is.
        Filter.Matches wide = new Filter.Matches(Filter.Part.ROW, Regex.of("[" + "a".repeat(998) + "]"));
        assertThat(FilterSize.of(wide).steps()).isEqualTo(1_000);
    }

    private static void limit(int most, IntFunction<Filter> made, String refused) {
        Filter filter = made.apply(most);
        assertThat(FilterText.parse(FilterText.print(filter))).isEqualTo(filter);
        assertThatThrownBy(() -> made.apply(most + 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(refused);
    }
}
