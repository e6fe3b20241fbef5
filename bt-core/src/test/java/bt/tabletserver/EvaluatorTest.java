package bt.tabletserver;

import static org.assertj.core.api.Assertions.assertThat;

import bt.base.Bytes;
import bt.base.RejectedException;
import bt.model.Filter;
import bt.model.Regex;
import bt.model.RowMutation;
import bt.protocol.Condition;
import bt.protocol.RowDigest;
import bt.protocol.Write;
import bt.protocol.WriteId;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EvaluatorTest {
    private static final Bytes ROW = Bytes.utf8("large");

    /** Of 2,000 steps: a value of 64 KB takes it a second or more of the processor, and is a page. */
    private static final Filter SLOW = new Filter.Matches(Filter.Part.VALUE, Regex.of("([^x]*a?){150}c"));

    private final ServedTablet served;

    EvaluatorTest() throws Exception {
        served = new ServedTablet();
        for (int i = 0; i < 8; i++) {
            served.write(ROW, Bytes.utf8("a".repeat(64 << 10)));
        }
    }

    @AfterEach
    void close() throws Exception {
        served.close();
    }

    @Test
    void allPagesOfAConditionHaveTheTimeOfOne() throws Exception {
        assertRejected(new Condition.Passes(SLOW, true, List.of()));
    }

    /** A transaction has read the row under it. */
    @Test
    void allThatATransactionHasReadHasTheTimeOfOnePage() throws Exception {
        Filter one = new Filter.Chain(List.of(new Filter.Latest(1), SLOW));
        // Eight reads of one value each, of none of which anything was seen.
        Condition.Seen nothing = new Condition.Seen(one, new RowDigest().digest());
        assertRejected(
                new Condition.Shows(List.of(nothing, nothing, nothing, nothing, nothing, nothing, nothing, nothing)));
    }

    /** A decision, which the commit thread tells: to a retry of what is done already it tells what became of that. */
    private void assertRejected(Condition condition) throws Exception {
        Write write = new Write(
                RowMutation.of(ROW).set(CommitFixture.COLUMN, Bytes.utf8("v")).build(),
                new WriteId(9, 1, 1),
                Optional.of(condition));
        Evaluation.Decision decision = served.evaluate(write).decision();
        assertThat(decision).isInstanceOf(Evaluation.Refuse.class);
        assertThat(((Evaluation.Refuse) decision).why())
                .isInstanceOf(RejectedException.class)
                .hasMessageContaining("more than 5000 ms of processor time");
    }
}
