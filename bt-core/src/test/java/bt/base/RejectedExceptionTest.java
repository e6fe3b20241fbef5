package bt.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import bt.base.BigtableException.Outcome;
import bt.command.UsageException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Modifier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Nothing is refused without an advice: what the caller can do about it ends the message, once. */
class RejectedExceptionTest {
    @Test
    void aMessageIsTheFactAndThenTheAdvice() {
        RejectedException refused = new RejectedException("row r: no family f", "add it", Outcome.UNKNOWN);
        assertThat(refused).hasMessage("row r: no family f: add it");
        assertThat(refused.outcome()).isEqualTo(Outcome.UNKNOWN);
        assertThat(refused.about("table t")).hasMessage("table t: row r: no family f: add it");
    }

    @Test
    void aMistakeKeepsItsOwnAdviceAndOneWithoutGetsIt() {
        MistakeException known = new MistakeException("no column is named", "name one");
        assertThat(RejectedException.of(known, "correct it")).hasMessage("no column is named: name one");
        assertThat(RejectedException.of("table t", known, "correct it"))
                .hasMessage("table t: no column is named: name one");
        assertThat(RejectedException.of("table t", new ArithmeticException("too much"), "add less"))
                .hasMessage("table t: too much: add less");
        assertThat(RejectedException.of(
                        new IllegalArgumentException("at 3: " + known.getMessage(), known), "correct it"))
                .hasMessage("at 3: no column is named: name one");
    }

    @Test
    void wordsOfACommandAreRefusedInTheSameWay() {
        assertThat(new UsageException("--limit 0", "ask for one")).hasMessage("--limit 0: ask for one");
        UsageException at = UsageException.of("--filter", new IllegalArgumentException("no )"), "correct it there")
                .at(3);
        assertThat(at).hasMessage("--filter: no ): correct it there");
        assertThat(at.about("line 7").at()).hasValue(3);
    }

    @Test
    void aValueIsRefusedWithFactAndAdviceInOneFormat() {
        assertThatThrownBy(() -> Check.checkGiven(false, "%d rows", "ask for %d at most", 7, 5))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("7 rows: ask for 5 at most");
        Check.checkGiven(true, "%d rows", "ask for %d at most", 5, 5);
    }

    @ParameterizedTest
    @ValueSource(classes = {RejectedException.class, UsageException.class, MistakeException.class})
    void nobodyCanMakeOneOfAMessageAlone(Class<?> type) {
        assertThat(Stream.of(type.getDeclaredConstructors()).filter(made -> Modifier.isPublic(made.getModifiers())))
                .isNotEmpty()
                .allSatisfy(made -> assertThat(texts(made)).as(made.toString()).isEqualTo(2));
        assertThatThrownBy(() -> new RejectedException("it is wrong", " ")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new UsageException("it is wrong", "")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> new MistakeException("", "do it")).isInstanceOf(IllegalStateException.class);
    }

    private static long texts(Constructor<?> made) {
        return Stream.of(made.getParameterTypes()).filter(String.class::equals).count();
    }
}
